// SPDX-License-Identifier: MIT
// Boxes against boxes and meshes: the quick answers agree with the test of all pairs of triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

using shape::Box;

class BoxDraw {
 public:
  explicit BoxDraw(std::uint64_t seed) : engine_(seed) {}
  double operator()(double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  Pose pose(double size, bool turned) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    if (!turned) return Pose({x, y, z});
    const double w = (*this)(-1, 1), i = (*this)(-1, 1), j = (*this)(-1, 1), k = (*this)(-1, 1);
    return Pose({x, y, z}, {w, i, j, k});
  }

 private:
  std::mt19937_64 engine_;
};

struct Tally {
  int contacts = 0, frees = 0, contained = 0;
};

void expect_as_brute(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, Tally& tally) {
  CollideOptions brute;
  brute.method = "brute";
  brute.all = true;
  const CollideResult all = collide(a, pose_a, b, pose_b, brute), quick = collide(a, pose_a, b, pose_b);
  ASSERT_EQ(quick.status, all.status);
  EXPECT_EQ(quick.kind, all.kind);
  EXPECT_EQ(quick.contained, all.contained);
  EXPECT_TRUE(quick.certain);
  for (const TrianglePair& p : quick.pairs)
    EXPECT_TRUE(std::find(all.pairs.begin(), all.pairs.end(), p) != all.pairs.end());
  EXPECT_EQ(quick.pairs.empty(), all.pairs.empty());
  if (!all.pairs.empty()) {
    EXPECT_EQ(quick.pairs.size(), 1u);
    EXPECT_FALSE(quick.features.empty());
    EXPECT_TRUE(quick.points);
  }
  EXPECT_EQ(within(0, a, pose_a, b, pose_b).status, all.status);
  ++(all.status == Status::contact ? tally.contacts : tally.frees);
  tally.contained += all.contained != Containment::none;
}

TEST(BoxPairs, MeshesAndBoxesAsByBruteForce) {
  BoxDraw draw(1);
  const std::vector<Body> meshes{Body(make::torus({.major = 0.6, .minor = 0.2, .triangles = 400})),
                                 Body(make::bunny({.triangles = 500})), Body(make::box({.size = {1, 0.5, 0.75}})),
                                 Body(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::array<Triangle, 1>{{{0, 1, 2}}}))};
  const std::vector<Body> boxes{Body(Box{{0.8, 0.9, 0.7}}), Body(Box{{0.1, 2, 0.1}}), Body(Box{{3, 3, 3}}),
                                Body(Box{{0.5, 0, 0.5}}), Body(Box{{0, 0, 0}})};
  Tally tally;
  for (const Body& mesh : meshes)
    for (const Body& box : boxes)
      for (int i = 0; i < 25; ++i) {
        const Pose pa = draw.pose(0.3, i % 3 != 0), pb = draw.pose(1.2, i % 2 != 0);
        expect_as_brute(mesh, pa, box, pb, tally);
        expect_as_brute(box, pb, mesh, pa, tally);
      }
  EXPECT_GT(tally.contacts, 200);
  EXPECT_GT(tally.frees, 200);
  EXPECT_GT(tally.contained, 10);
}

TEST(BoxPairs, BoxesAsByBruteForceAlsoFlushAndNested) {
  BoxDraw draw(2);
  const Body a(Box{{1, 0.5, 0.75}}), b(Box{{0.25, 1, 0.5}}), flat(Box{{1, 0, 1}});
  Tally tally;
  for (int i = 0; i < 300; ++i) {
    const Pose pa = draw.pose(0.3, i % 3 != 0), pb = draw.pose(0.7, i % 2 != 0);
    expect_as_brute(a, pa, b, pb, tally);
    expect_as_brute(flat, pa, b, pb, tally);
  }
  // Flush: on a grid of quarters, unturned, many faces lie in one plane.
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y)
      for (int z = -2; z <= 2; ++z) expect_as_brute(a, Pose(), b, Pose({x * 0.125, y * 0.125, z * 0.125}), tally);
  EXPECT_GT(tally.contacts, 300);
  EXPECT_GT(tally.frees, 100);
}

TEST(BoxPairs, DistancesOfBoxesAsByBruteForce) {
  BoxDraw draw(3);
  const Body a(Box{{1, 0.5, 0.75}}), b(Box{{0.25, 1, 0.5}}), flat(Box{{1, 0, 1}});
  DistanceOptions brute;
  brute.method = "brute";
  for (int i = 0; i < 400; ++i) {
    const Body& first = i % 4 == 0 ? flat : a;
    const Pose pa = draw.pose(0.3, i % 3 != 0), pb = draw.pose(2, i % 2 != 0);
    const DistanceResult quick = distance(first, pa, b, pb), slow = distance(first, pa, b, pb, brute);
    ASSERT_EQ(quick.status, slow.status);
    EXPECT_NEAR(quick.distance, slow.distance, 2e-9 * slow.distance);
    if (quick.status != Status::free) continue;
    EXPECT_NEAR(length(quick.points[1] - quick.points[0]), quick.distance, 1e-12);
    ASSERT_TRUE(quick.feature);
    ASSERT_TRUE(quick.normal);
    EXPECT_EQ(within(quick.distance * 0.999, first, pa, b, pb).status, Status::free);
    EXPECT_EQ(within(quick.distance * 1.001, first, pa, b, pb).status, Status::contact);
  }
}

/// How far a point, in the world, is from a vertex, edge or face of a box's mesh.
double distance_from(const FeatureRef& ref, const Body& box, const Pose& pose, const Vec3& p) {
  const auto corners = box.mesh().positions();
  const auto off_segment = [&](const Vec3& v, const Vec3& w) {
    const Vec3 along = w - v;
    const double square = dot(along, along), s = square > 0 ? std::clamp(dot(p - v, along) / square, 0.0, 1.0) : 0;
    return length(p - (v + along * s));
  };
  if (ref.type != FeatureRef::Type::face)
    return off_segment(pose.apply(corners[ref.id[0]]), pose.apply(corners[ref.id[1]]));
  const auto [t0, t1] = box.mesh().triangles_of(PolygonId{ref.id[0]});
  double least = 1e300;
  for (std::uint32_t t = t0; t < t1; ++t) {
    const Triangle& ids = box.mesh().triangles()[t];
    const Body triangle(
        Mesh({corners[ids[0]], corners[ids[1]], corners[ids[2]]}, std::array<Triangle, 1>{{{0, 1, 2}}}));
    const Body point(Mesh({p, p, p}, std::array<Triangle, 1>{{{0, 1, 2}}}));
    least = std::min(least, distance(triangle, pose, point, Pose()).distance);
  }
  return least;
}

TEST(BoxPairs, ClosestPointsOfBoxesAreInTheirFeaturesAndTriangles) {
  BoxDraw draw(4);
  const std::vector<Body> boxes{Body(Box{{1, 0.5, 0.75}}), Body(Box{{0.25, 1, 0.5}}), Body(Box{{1e-4, 1, 1e-3}}),
                                Body(Box{{1e-14, 1, 1}}), Body(Box{{1, 0, 1}})};
  int kinds[3] = {};
  for (int i = 0; i < 600; ++i) {
    const Body &a = boxes[static_cast<std::size_t>(i) % 5], &b = boxes[static_cast<std::size_t>(i / 5) % 5];
    const Pose pa = draw.pose(0.3, i % 7 != 0), pb = draw.pose(i % 11 == 0 ? 100 : 2, i % 4 != 0);
    const double relative_error = i % 2 == 0 ? 1e-9 : 1e-4;
    const DistanceResult r = distance(a, pa, b, pb, {.relative_error = relative_error});
    if (r.status != Status::free) continue;
    ASSERT_TRUE(r.feature && r.normal);
    EXPECT_LT(distance_from(r.feature->a, a, pa, r.points[0]), 1e-12) << i;
    EXPECT_LT(distance_from(r.feature->b, b, pb, r.points[1]), 1e-12) << i;
    EXPECT_NEAR(length(r.points[1] - r.points[0]), r.distance, relative_error * r.distance) << i;
    const double along = dot(*r.normal, r.points[1] - r.points[0]);
    EXPECT_NEAR(along, r.distance, relative_error * r.distance) << i;
    for (const auto& [body, pose, triangle, point] :
         {std::tuple(&a, &pa, r.pair.a, r.points[0]), std::tuple(&b, &pb, r.pair.b, r.points[1])}) {
      const auto corners = body->mesh().positions();
      const Triangle& ids = body->mesh().triangles()[index(triangle)];
      const Body own(Mesh({corners[ids[0]], corners[ids[1]], corners[ids[2]]}, std::array<Triangle, 1>{{{0, 1, 2}}}));
      const Body there(Mesh({point, point, point}, std::array<Triangle, 1>{{{0, 1, 2}}}));
      EXPECT_LT(distance(own, *pose, there, Pose()).distance, 1e-12) << i;
    }
    if (r.feature->kind == FeatureKind::vertex_face) ++kinds[0];
    if (r.feature->kind == FeatureKind::face_vertex) ++kinds[1];
    if (r.feature->kind == FeatureKind::edge_edge) ++kinds[2];
  }
  for (const int count : kinds) EXPECT_GT(count, 40);
}

TEST(BoxPairs, BoxesThatMeetAreReportedByDistanceAsByCollide) {
  BoxDraw draw(5);
  const Body a(Box{{1, 0.5, 0.75}}), b(Box{{0.25, 1, 0.5}}), small(Box{{0.05, 0.1, 0.05}});
  int crossing = 0, inside = 0;
  for (int i = 0; i < 400; ++i) {
    const Body& second = i % 3 == 0 ? small : b;
    const Pose pa = draw.pose(0.3, i % 5 != 0), pb = draw.pose(0.5, i % 2 != 0);
    const CollideResult hit = collide(a, pa, second, pb);
    DistanceOptions limited;
    limited.work = 1u << 30;
    const DistanceResult found = distance(a, pa, second, pb), same = distance(a, pa, second, pb, limited);
    ASSERT_EQ(found.status, hit.status);
    EXPECT_EQ(same.status, found.status);
    EXPECT_EQ(same.distance, found.distance);
    if (hit.status != Status::contact) {
      EXPECT_EQ(same.pair, found.pair);
      EXPECT_EQ(same.points, found.points);
      EXPECT_EQ(same.feature, found.feature);
      EXPECT_EQ(same.normal, found.normal);
      continue;
    }
    EXPECT_EQ(found.distance, 0);
    (hit.pairs.empty() ? inside : crossing)++;
    if (hit.pairs.empty()) continue;
    EXPECT_EQ(found.pair, hit.pairs.front());
    EXPECT_EQ(found.points, *hit.points);
  }
  EXPECT_GT(crossing, 100);
  EXPECT_GT(inside, 10);
}

}  // namespace
}  // namespace graze
