// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/classic/zachmann.hpp>

#include "unit/classic/zachmann/thesis_bodies.hpp"

namespace graze::thesis {
namespace {

Answer relaxed(const Placed& p, classic::zachmann::BruteOptions options = {}) {
  return ask(p, {.method = "relaxed", .zachmann = classic::zachmann::Options{.brute = options}});
}

TEST(Relaxed, ContactIsCertain) {
  oracle::Random random(21);
  int found = 0, missed = 0;
  for (int i = 0; i < 1000; ++i) {
    const Placed p = random_convex_pair(random);
    const CollideResult answer = relaxed(p), truth = brute(p, false);
    EXPECT_TRUE(answer.status == Status::contact || answer.status == Status::undecided);
    if (answer.status == Status::contact) {
      ++found;
      EXPECT_EQ(truth.status, Status::contact) << text(p);
      EXPECT_EQ(answer.pairs.size(), 1u);
      EXPECT_TRUE(answer.points);
      EXPECT_TRUE(!answer.kind || truth.kind == answer.kind) << text(p);
    }
    missed += answer.status == Status::undecided && truth.status == Status::contact;
  }
  EXPECT_GT(found, 150);
  EXPECT_GT(missed, 0) << "it has no uncertain side?";
}

// "It fails badly for objects which consist of only a few polygons (like a cube)": two rods that cross have no vertex
// in the other's box.
TEST(Relaxed, MissesLargePolygonsOnly) {
  const Placed rods{Body(box({-8, -1, -1}, {8, 1, 1})), Body(box({-0.5, -9, -0.5}, {0.5, 9, 0.5})), Pose(), Pose()};
  EXPECT_EQ(brute(rods, false).status, Status::contact);
  const Answer missed = relaxed(rods);
  EXPECT_EQ(missed.status, Status::undecided);
  EXPECT_EQ(missed.counters.relaxed_vertices, 0u);
  EXPECT_EQ(missed.counters.edge_polygon_tests, 0u);
  EXPECT_EQ(relaxed(rods, {.collect_faces = false}).status, Status::contact) << "switched off, nothing is missed";
  const Body sphere(make::sphere({.triangles = 528}));
  const Answer fine = relaxed({sphere, sphere, Pose(), Pose({1.5, 0.1, 0.2})});
  EXPECT_EQ(fine.status, Status::contact);
  EXPECT_EQ(fine.kind, ContactKind::crossing);
  EXPECT_GT(fine.counters.relaxed_vertices, 0u);
  EXPECT_GT(fine.counters.precheck_face_box, 0u);
}

TEST(Relaxed, TouchingLeavesKindOpen) {
  const Placed p{Body(box({0, 0, 0}, {2, 2, 2})), Body(box({1, 1, 2}, {3, 3, 4})), Pose(), Pose()};
  const CollideResult answer = relaxed(p);
  EXPECT_EQ(answer.status, Status::contact);
  EXPECT_FALSE(answer.kind);
  EXPECT_FALSE(answer.features.empty());
}

TEST(Relaxed, NeedsClosedManifoldBodies) {
  const Body sheet(make::cloth_sheet({.triangles = 8})), cube(make::box());
  const CollideResult open = relaxed({cube, sheet, Pose(), Pose()});
  EXPECT_EQ(open.status, Status::invalid_request);
  ASSERT_TRUE(open.error);
  EXPECT_EQ(open.error->element, "body B");
  // Two cubes that share an edge: closed, not manifold.
  const Mesh one = box({0, 0, 0}, {1, 1, 1});
  std::vector<Vec3> points(one.positions().begin(), one.positions().end());
  PolygonList polygons = one.polygons();
  const std::uint32_t shared[8] = {3, 8, 9, 10, 7, 11, 12, 13};  // 3 and 7 are the edge x = y = 1
  for (unsigned i = 0; i < 8; ++i)
    if (i != 0 && i != 4) points.push_back({i & 1 ? 2.0 : 1.0, i & 2 ? 2.0 : 1.0, i & 4 ? 1.0 : 0.0});
  for (std::size_t f = 0; f < one.polygon_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t v : one.polygons()[f]) corners.push_back(shared[v]);
    polygons.add(corners);
  }
  const Body twins(Mesh(points, polygons));
  EXPECT_EQ(relaxed({twins, cube, Pose(), Pose()}).status, Status::invalid_request);
}

}  // namespace
}  // namespace graze::thesis
