// SPDX-License-Identifier: MIT
#include "bv/convex_hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "math/predicates.hpp"
#include "oracle/generators.hpp"

namespace {

using namespace graze;
using bv::convex_hull;
using bv::ConvexHull;

/// Exactly: every plane through three corners that has no corner above it has no point above it. And the edges join
/// corners so that all are connected.
void check(const std::vector<Vec3>& points) {
  const ConvexHull hull = convex_hull(points);
  ASSERT_FALSE(hull.corners.empty());
  ASSERT_TRUE(std::is_sorted(hull.corners.begin(), hull.corners.end()));
  const auto corner = [&](std::size_t i) { return points[hull.corners[i]]; };
  const std::size_t n = hull.corners.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        if (i == j || j == k || k == i || (j < i && k < i)) continue;
        bool supports = true;
        for (std::size_t l = 0; l < n && supports; ++l)
          supports = math::orient3d(corner(i), corner(j), corner(k), corner(l)) <= 0;
        if (!supports) continue;
        for (const Vec3& p : points) ASSERT_LE(math::orient3d(corner(i), corner(j), corner(k), p), 0);
      }
  std::vector<std::size_t> root(n);
  for (std::size_t i = 0; i < n; ++i) root[i] = i;
  for (std::size_t round = 0; round < n; ++round)
    for (const auto& [a, b] : hull.edges) root[a] = root[b] = std::min(root[a], root[b]);
  for (const std::size_t r : root) EXPECT_EQ(r, 0U);
  if (hull.dimension >= 2) {
    EXPECT_EQ(hull.edges.size(), hull.dimension == 3 ? 3 * n - 6 : n);
  }
}

TEST(ConvexHull, PointsOfAGridAreTheCornersOfACube) {
  std::vector<Vec3> p;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 4; ++z) p.push_back({double(x), double(y), double(z)});
  check(p);
  const ConvexHull hull = convex_hull(p);
  EXPECT_EQ(hull.dimension, 3);
  EXPECT_EQ(hull.corners.size(), 8U);
}

TEST(ConvexHull, FlatSetsAreWhatTheyAre) {
  EXPECT_EQ(convex_hull(std::vector<Vec3>{{1, 2, 3}}).dimension, 0);
  EXPECT_EQ(convex_hull(std::vector<Vec3>{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}).dimension, 0);
  const ConvexHull line = convex_hull(std::vector<Vec3>{{1, 1, 1}, {0, 0, 0}, {3, 3, 3}, {2, 2, 2}});
  EXPECT_EQ(line.dimension, 1);
  EXPECT_EQ(line.corners, (std::vector<std::uint32_t>{1, 2}));
  std::vector<Vec3> plane;
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y) plane.push_back({double(x), double(y), double(x + 2 * y)});
  const ConvexHull polygon = convex_hull(plane);
  EXPECT_EQ(polygon.dimension, 2);
  EXPECT_EQ(polygon.corners.size(), 4U);
  EXPECT_EQ(polygon.edges.size(), 4U);
}

TEST(ConvexHull, PointsOnASphereAreAllCorners) {
  oracle::Random random(7);
  std::vector<Vec3> p;
  while (p.size() < 300) {
    const Vec3 x = oracle::real_point(random);
    if (dot(x, x) > 0.01 && dot(x, x) < 1) p.push_back(x * (1 / length(x)));
  }
  const ConvexHull hull = convex_hull(p);
  EXPECT_EQ(hull.corners.size(), p.size());
  EXPECT_EQ(hull.edges.size(), 3 * p.size() - 6);
}

TEST(ConvexHull, RandomSetsHoldEveryPoint) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Random random(seed);
    std::vector<Vec3> p;
    const int n = oracle::whole(random, 1, 24), kind = oracle::whole(random, 0, 4);
    for (int i = 0; i < n; ++i) {
      Vec3 x = kind < 3 ? oracle::grid_point(random, kind + 1) : oracle::real_point(random);
      if (kind == 4) x.z = 1e-17 * x.z + 0.3 * x.x;  // flat up to rounding
      p.push_back(x);
    }
    check(p);
  }
}

TEST(ConvexHull, HugeAndTinyCoordinates) {
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    SCOPED_TRACE(scale);
    oracle::Random random(3);
    std::vector<Vec3> p;
    for (int i = 0; i < 20; ++i) p.push_back(oracle::grid_point(random, 2) * scale);
    check(p);
  }
}

}  // namespace
