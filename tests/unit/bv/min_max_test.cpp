// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bv/min_max_box.hpp"
#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "unit/bv/exact_box.hpp"

namespace graze {
namespace {

using bv::fit_min_max_box;
using bv::OrientedBox;
using testing::contains_exactly;
using testing::RandomBudget;

double half_surface(const OrientedBox& b) { return b.half.x * b.half.y + b.half.y * b.half.z + b.half.z * b.half.x; }

TEST(MinMaxBox, HoldsEveryPointAndIsNeverLargerThanThePrincipalBox) {
  oracle::Random random(RandomBudget::seed(61));
  for (RandomBudget budget(150); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(61)));
    std::vector<Vec3> points;
    const int n = oracle::whole(random, 1, 80);
    const double scale = std::ldexp(1.0, oracle::whole(random, -300, 300));
    const bool grid = oracle::whole(random, 0, 2) == 0;
    const Vec3 squeeze{1, oracle::real(random, 0, 1), oracle::whole(random, 0, 1) ? 0 : oracle::real(random, 0, 0.1)};
    for (int i = 0; i < n; ++i) {
      const Vec3 p = grid ? oracle::grid_point(random, 2) : oracle::real_point(random);
      points.push_back(Vec3{p.x * squeeze.x, p.y * squeeze.y, p.z * squeeze.z} * scale);
    }
    const OrientedBox box = fit_min_max_box(points);
    for (const Vec3& p : points) EXPECT_TRUE(contains_exactly(box, p));
    EXPECT_LE(half_surface(box), half_surface(bv::fit_oriented_box(points)));
  }
}

TEST(MinMaxBox, FindsABoxThatStandsAskew) {
  // Corners of a box of 1 x 2 x 4 along turned axes, and many points on one side: principal axes are led astray.
  const Vec3 axes[3] = {{2.0 / 3, -1.0 / 3, 2.0 / 3}, {2.0 / 3, 2.0 / 3, -1.0 / 3}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}};
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.push_back((i & 1 ? 0.5 : -0.5) * axes[0] + (i & 2 ? 1.0 : -1.0) * axes[1] + (i & 4 ? 2.0 : -2.0) * axes[2]);
  for (int i = 0; i < 30; ++i) points.push_back(0.5 * axes[0] + (1.0 - i / 30.0) * axes[1] + 1.9 * axes[2]);
  const OrientedBox box = fit_min_max_box(points);
  EXPECT_LT(half_surface(box), 1.1 * (0.5 * 1 + 1 * 2 + 2 * 0.5));
}

TEST(MinMaxBox, TrianglesSegmentsAndPointsAreFlat) {
  const std::vector<Vec3> triangle{{1, 2, 3}, {4, -1, 2}, {0, 5, 7}};
  const OrientedBox flat = fit_min_max_box(triangle);
  EXPECT_LT(std::min({flat.half.x, flat.half.y, flat.half.z}), 1e-11);
  const std::vector<Vec3> point{{1, 2, 3}, {1, 2, 3}};
  const OrientedBox none = fit_min_max_box(point);
  EXPECT_LT(none.half.x + none.half.y + none.half.z, 1e-11);
  EXPECT_EQ(fit_min_max_box({}).half, Vec3{});
  const double most = std::numeric_limits<double>::max();
  const std::vector<Vec3> huge{{most, most, most}, {-most, -most, -most}};
  for (const Vec3& p : huge) EXPECT_TRUE(contains_exactly(fit_min_max_box(huge), p));
}

}  // namespace
}  // namespace graze
