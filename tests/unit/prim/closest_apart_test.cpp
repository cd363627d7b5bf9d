// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/generators.hpp"
#include "prim/closest/apart.hpp"
#include "random_budget.hpp"

namespace graze::prim {
namespace {

using testing::RandomBudget;
using Corners = std::array<Vec3, 3>;

double distance(const ClosestPair& c) { return std::sqrt(c.squared); }

/// The shortcut finds what all pairs of features find, whichever features are closest.
TEST(ClosestApart, SameDistanceAsAllPairsOfFeatures) {
  oracle::Random random(RandomBudget::seed(71));
  int faces = 0, edges = 0;
  RandomBudget budget(4000);
  while (budget.more()) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(71)));
    const Vec3 away = oracle::real_point(random, 3);
    Corners a, b;
    for (std::size_t k = 0; k < 3; ++k) {
      a[k] = oracle::real_point(random, 1);
      b[k] = oracle::real_point(random, 1) + away;
    }
    const ClosestPair all = closest_triangle_triangle(a, b), quick = closest_apart(a, b);
    EXPECT_NEAR(distance(quick), distance(all), 1e-7);
    (quick.part_a == Part::face || quick.part_b == Part::face ? faces : edges) += 1;
  }
  if (!budget.is_whole()) return;
  EXPECT_GT(faces, 100);
  EXPECT_GT(edges, 100);
}

/// Scaled by a power of two, beyond where fourth powers of lengths are doubles, every bit is the same.
TEST(ClosestApart, AnyScale) {
  oracle::Random random(72);
  for (int i = 0; i < 50; ++i) {
    Corners a, b;
    for (std::size_t k = 0; k < 3; ++k) {
      a[k] = oracle::real_point(random, 1);
      b[k] = oracle::real_point(random, 1) + Vec3{2, 1, 0};
    }
    const ClosestPair c = closest_apart(a, b);
    for (const double s : {0x1p-400, 0x1p-300, 0x1p300, 0x1p400}) {
      Corners p, q;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = a[k] * s;
        q[k] = b[k] * s;
      }
      const ClosestPair scaled = closest_apart(p, q);
      EXPECT_EQ(scaled.a, c.a * s);
      EXPECT_EQ(scaled.b, c.b * s);
      EXPECT_EQ(scaled.part_a, c.part_a);
    }
  }
}

TEST(ClosestApart, PointsSegmentsAndTouching) {
  const Corners face{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
  const Vec3 p{0.25, 0.25, 2}, q{0.25, 0.25, 3};
  EXPECT_EQ(distance(closest_apart(face, {p, p, p})), 2);
  EXPECT_EQ(distance(closest_apart({p, q, q}, face)), 2);
  EXPECT_EQ(distance(closest_apart({p, p, p}, {q, q, q})), 1);
  EXPECT_EQ(distance(closest_apart(face, face)), 0);
}

}  // namespace
}  // namespace graze::prim
