// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "oracle/pose_generators.hpp"
#include "prim/edge_polygon.hpp"

namespace graze::prim {
namespace {

using Polygon = std::vector<Vec3>;
using Edge = std::array<Vec3, 2>;

/// The letter C in the plane z = 0.
const Polygon letter{{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 3, 0}, {4, 3, 0}, {4, 4, 0}, {0, 4, 0}};

EdgeContact ask(const Edge& edge, const Polygon& polygon, const Pose& pose_a = Pose(), const Pose& pose_b = Pose(),
                bool edge_of_b = false, AllCounters* out = nullptr) {
  AllCounters counters;
  const EdgeContact answer = edge_polygon(math::RelativePlacement(pose_a, pose_b), edge_of_b, edge, polygon, counters);
  if (out) *out += counters;
  return answer;
}

/// By the triangles of the polygon and its outline, in rational numbers.
EdgeContact truth(const std::array<oracle::Point, 2>& e, const Polygon& polygon, const Pose& pose) {
  std::vector<std::uint32_t> ids;
  PolygonList list;
  for (std::uint32_t i = 0; i < polygon.size(); ++i) ids.push_back(i);
  list.add(ids);
  const Mesh mesh(polygon, list);
  bool meets = false, strictly = false;
  for (const Triangle& t : mesh.triangles()) {
    const oracle::Triangle placed = oracle::place(pose, {polygon[t[0]], polygon[t[1]], polygon[t[2]]});
    meets = meets || oracle::segment_meets_triangle(e[0], e[1], placed);
    const int s0 = oracle::orient3d_sign(placed[0], placed[1], placed[2], e[0]);
    const int s1 = oracle::orient3d_sign(placed[0], placed[1], placed[2], e[1]);
    strictly = strictly || s0 * s1 < 0;
  }
  if (!meets) return EdgeContact::none;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (oracle::segments_meet(e[0], e[1], oracle::place(pose, polygon[i]),
                              oracle::place(pose, polygon[(i + 1) % polygon.size()])))
      return EdgeContact::touching;
  return strictly ? EdgeContact::crossing : EdgeContact::touching;
}

TEST(EdgePolygon, ByHand) {
  EXPECT_EQ(ask({Vec3{0.5, 2, -1}, {0.5, 2, 1}}, letter), EdgeContact::crossing);
  EXPECT_EQ(ask({Vec3{2, 2, -1}, {2, 2, 1}}, letter), EdgeContact::none);
  EXPECT_EQ(ask({Vec3{1, 2, -1}, {1, 2, 1}}, letter), EdgeContact::touching);     // through an edge
  EXPECT_EQ(ask({Vec3{1, 1, -1}, {1, 1, 1}}, letter), EdgeContact::touching);     // through a corner
  EXPECT_EQ(ask({Vec3{0.5, 2, 0}, {0.5, 2, 1}}, letter), EdgeContact::touching);  // an end on the face
  EXPECT_EQ(ask({Vec3{2, 2, 0}, {2, 2, 1}}, letter), EdgeContact::none);
  // In the plane: the thesis skips such edges.
  EXPECT_EQ(ask({Vec3{2, 2, 0}, {3, 2, 0}}, letter), EdgeContact::none);
  EXPECT_EQ(ask({Vec3{2, 2, 0}, {2, 5, 0}}, letter), EdgeContact::touching);
  EXPECT_EQ(ask({Vec3{0.25, 2, 0}, {0.5, 2, 0}}, letter), EdgeContact::touching);
  EXPECT_EQ(ask({Vec3{0.5, 2, 0}, {0.5, 2, 0}}, letter), EdgeContact::touching);  // a point
  EXPECT_EQ(ask({Vec3{2, 2, 1}, {3, 2, 1}}, letter), EdgeContact::none);
  // A polygon of no area is its outline.
  EXPECT_EQ(ask({Vec3{1, 1, -1}, {1, 1, 1}}, {{0, 0, 0}, {2, 2, 0}, {3, 3, 0}}), EdgeContact::touching);
  EXPECT_EQ(ask({Vec3{1, 1, -1}, {1, 1, 1}}, {{2, 2, 0}, {2, 2, 0}, {3, 3, 0}}), EdgeContact::none);
}

TEST(EdgePolygon, GridCasesLikeRationals) {
  oracle::Random random(1);
  int seen[3] = {};
  for (int i = 0; i < 1000; ++i) {
    Polygon polygon = i % 2 ? letter : Polygon{{0, 0, 0}, {4, 0, 0}, {2, 2, 0}, {4, 4, 0}};
    // Slanted: z = x + 2 y or the like keeps it planar, exactly.
    const int p = oracle::whole(random, -1, 1), q = oracle::whole(random, -1, 2);
    for (Vec3& x : polygon) x.z = p * x.x + q * x.y;
    Edge edge;
    for (Vec3& x : edge) {
      x = {oracle::whole(random, -1, 9) / 2.0, oracle::whole(random, -1, 9) / 2.0, 0};
      x.z = p * x.x + q * x.y + oracle::whole(random, -1, 1);
    }
    // Anywhere, but both in one pose: they touch exactly as they did.
    const Pose pose = i % 3 ? oracle::random_pose(random) : Pose();
    const bool of_b = i % 4 < 2;
    const EdgeContact expected = truth({oracle::exact(edge[0]), oracle::exact(edge[1])}, polygon, Pose());
    ASSERT_EQ(ask(edge, polygon, pose, pose, of_b), expected) << i;
    ++seen[static_cast<int>(expected)];
  }
  for (const int count : seen) EXPECT_GT(count, 30);
}

TEST(EdgePolygon, TurnedCasesLikeRationals) {
  oracle::Random random(2);
  int crossings = 0;
  AllCounters counters;
  for (int i = 0; i < 200; ++i) {
    const Pose pose_a = oracle::random_pose(random), pose_b = oracle::random_pose(random);
    const bool of_b = i % 2 == 1;
    const Pose &edge_pose = of_b ? pose_b : pose_a, &polygon_pose = of_b ? pose_a : pose_b;
    const Edge edge{oracle::real_point(random, 5), oracle::real_point(random, 5)};
    const EdgeContact expected =
        truth({oracle::place(edge_pose, edge[0]), oracle::place(edge_pose, edge[1])}, letter, polygon_pose);
    EXPECT_EQ(ask(edge, letter, pose_a, pose_b, of_b, &counters), expected) << i;
    crossings += expected == EdgeContact::crossing;
  }
  EXPECT_GT(crossings, 0);
  EXPECT_GT(counters.polygon_precheck_1 + counters.polygon_precheck_2 + counters.polygon_precheck_3, 0u);
}

// Lengths and areas of the polygon overflowed beyond 2^341 and vanished below 2^-537: no plane was found, and an edge
// through the face did not count. Pinned: the answers at every scale are those at scale 1.
TEST(EdgePolygon, AtEveryScale) {
  const std::vector<Edge> edges{{Vec3{0.5, 2, -1}, {0.5, 2.25, 1}}, {Vec3{2, 2, -1}, {2, 2, 1}},
                                {Vec3{1, 2, -1}, {1, 2, 1}},        {Vec3{0.5, 2, 0}, {0.5, 2, 1}},
                                {Vec3{2, 2, 0}, {2, 5, 0}},         {Vec3{2, 2, 1}, {3, 2, 1}}};
  for (const Pose& turn : {Pose(), Pose({}, {2, 1, 0, 0})})
    for (const Edge& edge : edges) {
      const EdgeContact expected = ask(edge, letter, turn);
      for (int e = -1060; e <= 1020; e += 65) {
        const double s = std::ldexp(1.0, e);
        Polygon scaled;
        for (const Vec3& x : letter) scaled.push_back(x * s);
        for (const bool of_b : {false, true})
          ASSERT_EQ(ask({edge[0] * s, edge[1] * s}, scaled, of_b ? Pose() : turn, of_b ? turn : Pose(), of_b), expected)
              << "2^" << e;
      }
    }
  // In units of the least double.
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(ask({Vec3{1, 1, -1} * least, Vec3{1, 1, 1} * least}, {{}, {3 * least, 0, 0}, {0, 3 * least, 0}}),
            EdgeContact::crossing);
}

// Lazy (7.3.3): an edge on one side of the plane costs two signs and nothing else.
TEST(EdgePolygon, Lazy) {
  AllCounters counters;
  ask({Vec3{0.5, 2, 1}, {0.5, 2, 2}}, letter, Pose(), Pose(), false, &counters);
  EXPECT_EQ(counters.edge_polygon_tests, 1u);
  EXPECT_EQ(counters.polygon_precheck_1 + counters.polygon_precheck_2 + counters.polygon_precheck_3 +
                counters.polygon_precheck_4 + counters.polygon_exact,
            0u);
}

}  // namespace
}  // namespace graze::prim
