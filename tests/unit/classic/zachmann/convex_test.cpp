// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/classic/zachmann.hpp>

#include "unit/classic/zachmann/thesis_bodies.hpp"

namespace graze::thesis {
namespace {

Answer convex(const Placed& p, classic::zachmann::ConvexOptions options = {}) {
  return ask(p, {.method = "convex", .solid = true, .zachmann = classic::zachmann::Options{.convex = options}});
}
Placed still(Mesh a, Mesh b) { return {Body(std::move(a)), Body(std::move(b)), Pose(), Pose()}; }

void expect_like_brute(const Placed& p) {
  const CollideResult truth = brute(p, true), answer = convex(p);
  EXPECT_EQ(answer.status, truth.status) << text(p);
  EXPECT_EQ(answer.kind, truth.kind) << text(p);
  EXPECT_EQ(answer.contained, truth.contained) << text(p);
  EXPECT_EQ(answer.pairs.size(), truth.pairs.size());
  EXPECT_EQ(answer.features.empty(), truth.features.empty());
  EXPECT_EQ(answer.points.has_value(), answer.status == Status::contact);
}

TEST(Convex, GridBodiesLikeBrute) {
  oracle::Random random(1);
  int contacts = 0, touching = 0, contained = 0;
  for (int i = 0; i < 1500; ++i) {
    const Placed p = random_convex_pair(random);
    expect_like_brute(p);
    const CollideResult answer = convex(p);
    contacts += answer.status == Status::contact;
    touching += answer.kind == ContactKind::touching;
    contained += answer.contained != Containment::none;
  }
  EXPECT_GT(contacts, 300);
  EXPECT_LT(contacts, 1300);
  EXPECT_GT(touching, 50);
  EXPECT_GT(contained, 5);
}

TEST(Convex, SwitchesChangeCountersNotAnswers) {
  oracle::Random random(2);
  AllCounters all, none;
  for (int i = 0; i < 300; ++i) {
    const Placed p = random_convex_pair(random);
    const Answer with = convex(p), without = convex(p, {.edge_box = false, .collect_faces = false});
    EXPECT_EQ(with.status, without.status) << text(p);
    EXPECT_EQ(with.kind, without.kind) << text(p);
    EXPECT_EQ(with.contained, without.contained) << text(p);
    EXPECT_EQ(with.pairs, without.pairs) << text(p);
    all += with.counters;
    none += without.counters;
  }
  EXPECT_GT(all.precheck_edge_box, 0u);
  EXPECT_GT(all.precheck_face_box, 0u);
  EXPECT_GT(all.clip_forgotten, 0u);
  EXPECT_EQ(none.precheck_edge_box + none.precheck_face_box + none.clip_forgotten, 0u);
  EXPECT_LT(all.clip_steps, none.clip_steps);
  EXPECT_LT(all.clipped_edges, none.clipped_edges);
}

// The thesis ignores faces that are parallel to the edge: "if the two do not intersect, no harm is done". Harm is done:
// an edge of the upper box runs over the lower one, parallel to its top, and the four faces that are not parallel to it
// leave a part of it over.
TEST(Convex, ParallelEdgeOverAFaceIsOutside) {
  const Placed apart = still(box({0, 0, 0}, {4, 4, 4}), box({1, 1, 5}, {3, 3, 6}));
  for (const bool use : {true, false}) {
    const CollideResult answer = convex(apart, {.edge_box = use, .collect_faces = use});
    EXPECT_EQ(answer.status, Status::free);
  }
  // Skipping such edges altogether would be wrong, too: of these boxes, one standing on the other, all edges that touch
  // are parallel.
  const CollideResult touching = convex(still(box({0, 0, 0}, {4, 4, 4}), box({1, 1, 4}, {3, 3, 6})));
  EXPECT_EQ(touching.status, Status::contact);
  EXPECT_EQ(touching.kind, ContactKind::touching);
  ASSERT_TRUE(touching.normal);
  EXPECT_EQ(*touching.normal, (Vec3{0, 0, 1}));
}

// "C is empty; then e is outside Q": not if P is inside Q.
TEST(Convex, NoFaceCollectedMayMeanInside) {
  const Answer in = convex(still(box({1, 1, 1}, {2, 2, 2}), box({0, 0, 0}, {4, 4, 4})));
  EXPECT_EQ(in.status, Status::contact);
  EXPECT_EQ(in.contained, Containment::a_in_b);
  EXPECT_EQ(in.kind, ContactKind::overlap);
  EXPECT_EQ(in.counters.precheck_face_box, 6u);
  EXPECT_EQ(in.counters.clip_forgotten, 6u);
  const CollideResult out = convex(still(box({0, 0, 0}, {4, 4, 4}), box({1, 1, 1}, {2, 2, 2}, true)));
  EXPECT_EQ(out.contained, Containment::b_in_a);
}

// "e is not completely clipped away by the polygons in C; then e is (partially) inside Q": not if Q misses P's box. Q
// is a wedge along a diagonal, whose side towards P is finely divided, so that no box of those faces reaches P; its
// other side is one large face.
TEST(Convex, FacesThatReachTheBoxAreNotEnough) {
  std::vector<Vec3> p;
  PolygonList polygons;
  const std::uint32_t n = 8;
  for (std::uint32_t i = 0; i <= n; ++i)  // a convex chain below the diagonal from (0, 0) to (16, 16)
    for (const double z : {0.0, 1.0}) {
      const double s = 2.0 * i, bulge = i * (n - i) / 32.0;
      p.push_back({s + bulge, s - bulge, z});
    }
  std::vector<std::uint32_t> bottom, top;
  for (std::uint32_t i = 0; i <= n; ++i) {
    top.push_back(2 * i + 1);
    bottom.push_back(2 * (n - i));
    if (i < n) polygons.add(std::array{2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
  }
  polygons.add(std::array{2 * n, 0u, 1u, 2 * n + 1});
  polygons.add(bottom);
  polygons.add(top);
  // Above and below, so that the two lids do not clip it either; it stays off the lids' planes.
  const Placed pair = still(box({13, 1, 0.25}, {14, 2, 0.75}), Mesh(p, polygons));
  const Answer answer = convex(pair);
  EXPECT_EQ(answer.status, Status::free);
  EXPECT_EQ(answer.status, brute(pair, true).status);
  EXPECT_GT(answer.counters.clip_forgotten, 0u) << "the example no longer shows the gap";
  EXPECT_EQ(answer.counters.clipped_edges, 1u) << "one edge is enough to know that Q misses P's box";
}

TEST(Convex, TouchingByTheLastBit) {
  const double next = std::nextafter(4.0, 5.0);
  const auto upper = [](double z) { return box({1, 1, z}, {3, 3, z + 2}); };
  EXPECT_EQ(convex(still(box({0, 0, 0}, {4, 4, 4}), upper(4))).status, Status::contact);
  EXPECT_EQ(convex(still(box({0, 0, 0}, {4, 4, 4}), upper(next))).status, Status::free);
  // The same turned by a rotation whose entries are no doubles: both in one pose, so they still touch exactly.
  const Pose turned({0.1, 0.2, 0.3}, {0.3, 0.1, 0.7, 0.2});
  const Body lower(box({0, 0, 0}, {4, 4, 4}));
  EXPECT_EQ(convex({lower, Body(upper(4)), turned, turned}).status, Status::contact);
  EXPECT_EQ(convex({lower, Body(upper(next)), turned, turned}).status, Status::free);
}

TEST(Convex, AnyScale) {
  oracle::Random random(3);
  for (int i = 0; i < 60; ++i) {
    const Placed p = random_convex_pair(random);
    if (!(p.pose_a == p.pose_b)) continue;
    for (const int power : {-1060, -500, 500, 1015}) {
      const auto scaled = [&](const Body& body) {
        std::vector<Vec3> x;
        for (const Vec3& v : body.mesh().positions()) x.push_back(oracle::times_power_of_two(v, power));
        return Body(Mesh(std::move(x), body.mesh().polygons()));
      };
      const Placed q{scaled(p.a), scaled(p.b), Pose(), Pose()};
      if (!q.a.mesh().box().overlaps(q.b.mesh().box())) continue;
      const CollideResult truth = brute(q, true), answer = convex(q);
      if (answer.status == Status::invalid_request) continue;  // the sphere is no longer convex when rounded
      EXPECT_EQ(answer.status, truth.status) << power << text(p);
      EXPECT_EQ(answer.kind, truth.kind) << power << text(p);
    }
  }
}

TEST(Convex, RefusesWhatItCannotDo) {
  const Body torus(make::torus({.triangles = 64})), cube(make::box());
  const Placed p{cube, torus, Pose(), Pose()};
  const CollideResult concave = convex(p);
  EXPECT_EQ(concave.status, Status::invalid_request);
  ASSERT_TRUE(concave.error);
  EXPECT_EQ(concave.error->element, "body B");
  EXPECT_EQ(ask({cube, cube, Pose(), Pose()}, {.method = "convex"}).status, Status::invalid_request);
  EXPECT_EQ(ask({cube, cube, Pose(), Pose()}, {.method = "convex", .all = true, .solid = true}).status,
            Status::invalid_request);
}

}  // namespace
}  // namespace graze::thesis
