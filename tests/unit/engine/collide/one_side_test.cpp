// SPDX-License-Identifier: MIT
#include "engine/collide/one_side.hpp"

#include <gtest/gtest.h>

#include <random>

namespace graze::engine::collide {
namespace {

Vec3 any(std::mt19937& random, double size = 1) {
  std::uniform_real_distribution<double> x(-size, size);
  return {x(random), x(random), x(random)};
}

VectorBox point(const Vec3& x) { return {x, x}; }

Vec3 inside(const VectorBox& b, std::mt19937& random) {
  std::uniform_real_distribution<double> s(0, 1);
  Vec3 x;
  for (int k = 0; k < 3; ++k) x[k] = b.lo[k] + s(random) * (b.hi[k] - b.lo[k]);
  return x;
}

TEST(OneSide, OneVectorAndItsOppositeHaveNone) {
  MovingVectors u;
  u.count = 2;
  u.of[0][0] = point({1, 2, 3});
  u.of[1][0] = point({-1, -2, -3});
  EXPECT_EQ(height_on_one_side(u, 0), 0);
  u.of[1][0] = point({-1, -2, 3});
  EXPECT_GT(height_on_one_side(u, 0), 0.1);
}

/// Two vectors that turn by 60 degrees: no plane that stands still has both on one side, but one that turns has.
TEST(OneSide, ThePlaneMayTurn) {
  MovingVectors u;
  u.degree = 1;
  u.count = 2;
  u.of[0][0] = point({1, 0.05, 0});
  u.of[1][0] = point({-1, 0.05, 0});
  u.of[0][1] = point({0.4567, 0.891, 0});
  u.of[1][1] = point({-0.5433, -0.841, 0});
  EXPECT_GT(height_on_one_side(u, 0), 0);
}

/// Vectors in the boxes at any time are never all zero: their sum with any positive weights is not.
TEST(OneSide, WhatIsPositiveNeverMeetsItsOpposite) {
  std::mt19937 random(3);
  int proved = 0;
  for (int i = 0; i < 20000; ++i) {
    MovingVectors u;
    u.degree = static_cast<int>(random() % 3);
    u.count = 1 + static_cast<int>(random() % 4);
    const Vec3 drift = any(random);
    for (int k = 0; k < u.count; ++k)
      for (int j = 0; j <= u.degree; ++j) {
        const Vec3 c = drift + any(random), h = any(random, 0.1);
        u.of[k][j] = {{c.x - std::fabs(h.x), c.y - std::fabs(h.y), c.z - std::fabs(h.z)},
                      {c.x + std::fabs(h.x), c.y + std::fabs(h.y), c.z + std::fabs(h.z)}};
      }
    const double h = height_on_one_side(u, 1e-12);
    if (h == 0) continue;
    ++proved;
    for (int s = 0; s < 8; ++s) {
      const double t = s / 7.0;
      Vec3 sum;
      double weights = 0;
      for (int k = 0; k < u.count; ++k) {
        const double weight = 0.1 + static_cast<double>(random() % 100);
        const Vec3 c0 = inside(u.of[k][0], random);
        Vec3 x = c0;
        if (u.degree == 1) x = c0 * (1 - t) + inside(u.of[k][1], random) * t;
        if (u.degree == 2)
          x = c0 * ((1 - t) * (1 - t)) + inside(u.of[k][1], random) * (2 * t * (1 - t)) +
              inside(u.of[k][2], random) * (t * t);
        sum = sum + x * weight;
        weights += weight;
      }
      EXPECT_GE(length(sum), h * weights * (1 - 1e-9));
    }
  }
  EXPECT_GT(proved, 2000);
}

TEST(OneSide, PlaneBetweenThinTriangles) {
  // Neighbours but one of a cone's mantle and base, so thin that both planes nearly hold both.
  for (const double step : {1e-2, 1e-4, 1e-6}) {
    const auto rim = [&](int i) { return Vec3{std::cos(i * step), std::sin(i * step), 0}; };
    EXPECT_TRUE(plane_between({{0, 0, 1}, rim(0), rim(1)}, {{0, 0, 0}, rim(2), rim(3)})) << step;
    EXPECT_FALSE(plane_between({{0, 0, 1}, rim(0), rim(1)}, {{0, 0, 0}, rim(1), rim(2)})) << step;
    EXPECT_FALSE(plane_between({{0, 0, 1}, rim(0), rim(2)}, {{0, 0, 0}, rim(1), rim(3)})) << step;
  }
  EXPECT_FALSE(plane_between({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.3, 0.2, 1}}));
}

}  // namespace
}  // namespace graze::engine::collide
