// SPDX-License-Identifier: MIT
// Transformations that must not change a distance. (For threads, instruction set and method see
// unit/engine/distance/distance_order_test.cpp.)
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include <graze/ask/distance.hpp>

#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

/// Two bodies that are mostly apart: triangle soups, half of them on a grid.
struct ApartScene {
  Mesh a, b;
  Pose pose_a, pose_b;
};

class DistanceInvariance : public ::testing::Test {
 protected:
  oracle::Random random{RandomBudget::seed(67)};

  ApartScene scene(int size) {
    const bool grid = random() % 2 == 0;
    Mesh a = testing::soup(random, oracle::whole(random, 1, size), grid),
         b = testing::soup(random, oracle::whole(random, 1, size), grid);
    const Pose near = oracle::random_pose(random);
    const Vec3 t = near.translation();
    return {std::move(a), std::move(b), grid ? Pose() : oracle::random_pose(random),
            grid ? Pose({4, 1, -2}) : Pose({t.x + 3, t.y, t.z}, near.rotation())};
  }
  static DistanceResult ask(const ApartScene& s) { return distance(Body(s.a), s.pose_a, Body(s.b), s.pose_b); }
};

TEST_F(DistanceInvariance, SwappedBodies) {
  for (RandomBudget budget(150); budget.more();) {
    const ApartScene s = scene(10);
    const DistanceResult x = ask(s), y = ask({s.b, s.a, s.pose_b, s.pose_a});
    EXPECT_EQ(x.status, y.status);
    EXPECT_LE(std::fabs(x.distance - y.distance), 1e-9 * x.distance);
    const double d = x.distance;
    for (const double asked : {d * (1 - 1e-8), d * (1 + 1e-8), d, 0.5 * d}) {
      const auto there = within(asked, Body(s.a), s.pose_a, Body(s.b), s.pose_b).status;
      EXPECT_EQ(there, within(asked, Body(s.b), s.pose_b, Body(s.a), s.pose_a).status) << asked;
    }
  }
}

TEST_F(DistanceInvariance, ScaledByPowersOfTwo) {
  for (RandomBudget budget(60); budget.more();) {
    const ApartScene s = scene(8);
    const DistanceResult expected = ask(s);
    for (const int power : {-300, -40, 1, 60, 400}) {
      const auto scaled = [&](const Mesh& m) {
        std::vector<Vec3> p;
        for (const Vec3& v : m.positions()) p.push_back(oracle::times_power_of_two(v, power));
        return Mesh(p, m.triangles());
      };
      const auto moved = [&](const Pose& pose) {
        return Pose(oracle::times_power_of_two(pose.translation(), power), pose.rotation());
      };
      const DistanceResult got = ask({scaled(s.a), scaled(s.b), moved(s.pose_a), moved(s.pose_b)});
      EXPECT_EQ(got.status, expected.status) << power;
      EXPECT_EQ(got.distance, std::ldexp(expected.distance, power)) << power;
      EXPECT_EQ(got.pair, expected.pair) << power;
      EXPECT_EQ(got.feature, expected.feature) << power;
    }
  }
}

TEST_F(DistanceInvariance, PermutedTriangles) {
  for (RandomBudget budget(60); budget.more();) {
    const ApartScene s = scene(10);
    const std::vector<Triangle> reversed(s.a.triangles().rbegin(), s.a.triangles().rend());
    const DistanceResult x = ask(s), y = ask({Mesh({s.a.positions().begin(), s.a.positions().end()}, reversed), s.b,
                                              s.pose_a, s.pose_b});
    EXPECT_EQ(x.status, y.status);
    EXPECT_LE(std::fabs(x.distance - y.distance), 1e-9 * x.distance);
  }
}

TEST_F(DistanceInvariance, CallersRoundingModeIsKeptAndDoesNotMatter) {
  for (RandomBudget budget(40); budget.more();) {
    const ApartScene s = scene(8);
    const Body a(s.a), b(s.b);
    const DistanceResult expected = distance(a, s.pose_a, b, s.pose_b);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const DistanceResult got = distance(a, s.pose_a, b, s.pose_b);
      EXPECT_EQ(std::fegetround(), mode);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(got.status, expected.status);
      EXPECT_EQ(got.distance, expected.distance);
      EXPECT_EQ(got.pair, expected.pair);
      EXPECT_EQ(got.points, expected.points);
      EXPECT_EQ(got.normal, expected.normal);
    }
  }
}

}  // namespace
}  // namespace graze
