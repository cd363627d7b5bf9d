// SPDX-License-Identifier: MIT
#include "math/predicates.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "math/placed_points.hpp"
#include "math/relative_placement.hpp"
#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"
#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::PairFamily;
using testing::RandomBudget;

TEST(Orient, AgreesWithRationalsOnEveryFamily) {
  oracle::Random random(RandomBudget::seed(1));
  for (RandomBudget budget(40); budget.more();)
    for (int f = 0; f < oracle::pair_family_count; ++f) {
      const auto [a, b] = oracle::random_pair(random, static_cast<PairFamily>(f));
      for (const Vec3& d : b) {
        EXPECT_EQ(math::orient3d(a[0], a[1], a[2], d), oracle::orient3d_sign(a[0], a[1], a[2], d))
            << oracle::name(static_cast<PairFamily>(f)) << "\n"
            << oracle::describe(a);
        EXPECT_EQ(math::orient2d(a[0].x, a[0].y, a[1].x, a[1].y, d.x, d.y),
                  oracle::orient2d_sign(a[0].x, a[0].y, a[1].x, a[1].y, d.x, d.y));
      }
    }
}

TEST(Orient, IsExactWhereRoundingLies) {
  // Four points of one plane whose determinant in doubles is not zero.
  const Vec3 a{0.1, 0.2, 0.3}, u{0.7, 0.1, 0.9}, v{0.3, 0.8, 0.2};
  const auto at = [&](double s, double t) {
    return Vec3{a.x + s * u.x + t * v.x, a.y + s * u.y + t * v.y, a.z + s * u.z + t * v.z};
  };
  for (double s : {0.25, 0.5, 3.0, -7.0})
    for (double t : {0.125, 2.0, 11.0}) {
      const Vec3 p = at(1, 0), q = at(0, 1), r = at(s, t);
      EXPECT_EQ(math::orient3d(a, p, q, r), oracle::orient3d_sign(a, p, q, r));
    }
  EXPECT_EQ(math::orient2d(0, 0, 1e308, 1e308, -1e308, -1e308), 0);
  EXPECT_EQ(math::orient2d(0, 0, 5e-324, 0, 0, 5e-324), 1);
}

TEST(RelativePlacement, BackIsWithinItsErrorBound) {
  oracle::Random random(RandomBudget::seed(12));
  for (RandomBudget budget(600); budget.more();) {
    const Pose a = oracle::random_pose(random), b = oracle::random_pose(random);
    const Vec3 y = oracle::real_point(random, 3);
    const math::RelativePlacement placement(a, b);
    const oracle::Point off = oracle::unplace(b, oracle::place(a, y)) - oracle::exact(placement.place_back(y));
    const oracle::Rational error = oracle::exact(placement.error_back(y));
    EXPECT_LE(abs(off.x), error);
    EXPECT_LE(abs(off.y), error);
    EXPECT_LE(abs(off.z), error);
  }
}

TEST(PlaneSide, IsNeverWrong) {
  // Points near a plane, moved by less than the stated error: a proved side is that of the point before.
  oracle::Random random(RandomBudget::seed(13));
  int proved = 0, near = 0;
  for (RandomBudget budget(400); budget.more();) {
    const Vec3 a = oracle::real_point(random, 3), b = oracle::real_point(random, 3), c = oracle::real_point(random, 3);
    const Vec3 p = oracle::real_point(random, 1), q = oracle::real_point(random, 1);
    const Vec3 on = a + (b - a) * p.x + (c - a) * p.y;
    for (const double off : {1e-3, 1e-9, 1e-13, 1e-15, 0.0})
      for (const double error : {0.0, 1e-14, 1e-10}) {
        const Vec3 d = on + cross(b - a, c - a) * (off * p.z), moved = d + q * (0.99 * error);
        const double most = std::max({std::fabs(moved.x - d.x), std::fabs(moved.y - d.y), std::fabs(moved.z - d.z)});
        const int side = math::plane_side_filter(a, b, c, moved, std::max(error, most));
        ++(side != 0 ? proved : near);
        if (side != 0) {
          EXPECT_EQ(side, oracle::orient3d_sign(a, b, c, d)) << off << " " << error;
        }
      }
  }
  EXPECT_GT(proved, near / 4);
  EXPECT_GT(near, proved / 16);
}

TEST(RelativePlacement, IsWithinItsErrorBound) {
  oracle::Random random(RandomBudget::seed(2));
  for (RandomBudget budget(600); budget.more();) {
    const Pose a = oracle::random_pose(random), b = oracle::random_pose(random);
    const Vec3 x = oracle::real_point(random, 3);
    const math::RelativePlacement placement(a, b);
    const oracle::Point exact = oracle::unplace(a, oracle::place(b, x));
    const oracle::Point rounded = oracle::exact(placement.place(x));
    const oracle::Rational error = oracle::exact(placement.error(x));
    const oracle::Point off = exact - rounded;
    EXPECT_LE(abs(off.x), error);
    EXPECT_LE(abs(off.y), error);
    EXPECT_LE(abs(off.z), error);
    if (const auto doubles = placement.place_exactly(x)) {
      const oracle::Point d = oracle::exact(*doubles) - exact;
      EXPECT_TRUE(d.x == 0 && d.y == 0 && d.z == 0);
    }
  }
}

TEST(RelativePlacement, QuarterTurnsAndWholeStepsAreDoubles) {
  const Pose a({1, 2, 3}, {1, 1, 0, 0}), b({-4, 0, 8}, {0, 0, 3, 3});
  const math::RelativePlacement placement(a, b);
  ASSERT_TRUE(placement.place_exactly({1, 2, 4}).has_value());
  EXPECT_FALSE(math::RelativePlacement(a, Pose({0.1, 0, 0}, {1, 2, 3, 4})).place_exactly({1, 2, 4}).has_value());
}

TEST(PlacedPoints, SignsAgreeWithRationalsInAnyPose) {
  oracle::Random random(RandomBudget::seed(3));
  Counters counters;
  for (RandomBudget budget(30); budget.more();)
    for (int f = 0; f < oracle::pair_family_count; ++f) {
      const oracle::PlacedPair pair =
          f % 2 ? oracle::placed_exactly(random) : oracle::placed_anyhow(random, static_cast<PairFamily>(f));
      const math::RelativePlacement placement(pair.pose_a, pair.pose_b);
      math::PlacedPoints p(placement, counters);
      for (const Vec3& x : pair.a) p.add_a(x);
      for (const Vec3& x : pair.b) p.add_b(x);
      const oracle::Triangle a = oracle::place(pair.pose_a, pair.a), b = oracle::place(pair.pose_b, pair.b);
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(p.orient3d(0, 1, 2, 3 + k), oracle::orient3d_sign(a[0], a[1], a[2], b[static_cast<std::size_t>(k)]))
            << oracle::describe(pair);
      EXPECT_EQ(p.orient3d(0, 3, 1, 4), oracle::orient3d_sign(a[0], b[0], a[1], b[1])) << oracle::describe(pair);
    }
  EXPECT_GT(counters.filter_decided, 0u);
  EXPECT_GT(counters.expansion_decided, 0u);
  EXPECT_GT(counters.rational_decided, 0u);
}

}  // namespace
}  // namespace graze
