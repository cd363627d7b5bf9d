// SPDX-License-Identifier: MIT
#include "engine/collide/one_side.hpp"

#include <gtest/gtest.h>

#include <limits>
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
  MovingVectors<2, 0> u;
  u.of[0][0] = point({1, 2, 3});
  u.of[1][0] = point({-1, -2, -3});
  EXPECT_EQ(height_on_one_side(u, 0), 0);
  u.of[1][0] = point({-1, -2, 3});
  EXPECT_GT(height_on_one_side(u, 0), 0.1);
}

/// Two vectors that turn by 60 degrees: no plane that stands still has both on one side, but one that turns has.
TEST(OneSide, ThePlaneMayTurn) {
  MovingVectors<2, 1> u;
  u.of[0][0] = point({1, 0.05, 0});
  u.of[1][0] = point({-1, 0.05, 0});
  u.of[0][1] = point({0.4567, 0.891, 0});
  u.of[1][1] = point({-0.5433, -0.841, 0});
  EXPECT_GT(height_on_one_side(u, 0), 0);
}

/// Vectors in the boxes at any time are never all zero: their sum with any positive weights is not.
template <int Count, int Degree>
int proved_ones() {
  std::mt19937 random(3 + Count + 8 * Degree);
  int proved = 0;
  for (int i = 0; i < 6000; ++i) {
    MovingVectors<Count, Degree> u;
    const Vec3 drift = any(random);
    for (auto& moving : u.of)
      for (VectorBox& box : moving) {
        const Vec3 c = drift + any(random), h = any(random, 0.1);
        box = {{c.x - std::fabs(h.x), c.y - std::fabs(h.y), c.z - std::fabs(h.z)},
               {c.x + std::fabs(h.x), c.y + std::fabs(h.y), c.z + std::fabs(h.z)}};
      }
    const double h = height_on_one_side(u, 1e-12);
    if (h == 0) continue;
    ++proved;
    for (int s = 0; s < 8; ++s) {
      const double t = s / 7.0;
      Vec3 sum;
      double weights = 0;
      for (const auto& moving : u.of) {
        const double weight = 0.1 + static_cast<double>(random() % 100);
        const Vec3 c0 = inside(moving[0], random);
        Vec3 x = c0;
        if (Degree == 1) x = c0 * (1 - t) + inside(moving[Degree], random) * t;
        if (Degree == 2)
          x = c0 * ((1 - t) * (1 - t)) + inside(moving[Degree / 2], random) * (2 * t * (1 - t)) +
              inside(moving[Degree], random) * (t * t);
        sum = sum + x * weight;
        weights += weight;
      }
      EXPECT_GE(length(sum), h * weights * (1 - 1e-9));
    }
  }
  return proved;
}

TEST(OneSide, WhatIsPositiveNeverMeetsItsOpposite) {
  EXPECT_GT((proved_ones<2, 0>()), 2000);
  EXPECT_GT((proved_ones<2, 1>()), 1000);
  EXPECT_GT((proved_ones<2, 2>()), 500);
  EXPECT_GT((proved_ones<4, 0>()), 500);
  EXPECT_GT((proved_ones<4, 1>()), 200);
}

/// Infinite bounds, NaN and vectors beyond the range of squares prove nothing; whether other boxes do does not change.
TEST(OneSide, WhatIsNotFiniteProvesNothing) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double x : {inf, -inf, nan, 1e200, 1e-200}) {
    MovingVectors<2, 1> u{{{point({1, 0.05, 0}), point({1, 0.05, 0})}, {point({-1, 0.05, 0}), point({-1, 0.05, 0})}}};
    EXPECT_GT(height_on_one_side(u, 0), 0);
    u.of[1][1] = point({0, x, 0});
    EXPECT_EQ(height_on_one_side(u, 0), 0) << x;
    u.of[1][1] = {{-1, 0.05, -inf}, {-1, 0.05, inf}};
    EXPECT_EQ(height_on_one_side(u, 0), 0);
  }
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
