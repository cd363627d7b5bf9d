// SPDX-License-Identifier: MIT
// Do two meshes touch that are near where their poses put them: against exact distances, and `collide`.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/mesh/make.hpp>

#include "engine/collide/touch_within.hpp"
#include "oracle/exact_oracle.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using engine::collide::Touch;
using engine::collide::touch_within;
using testing::exact_squared_distance;
using testing::RandomBudget;

Touch ask(const Body& a, const Pose& pa, const Body& b, const Pose& pb, double error) {
  Counters counters;
  return touch_within(a.data(), pa, b.data(), pb, error, counters);
}

TEST(TouchWithin, ApartIsFartherThanTheErrorAndTouchingIsContact) {
  oracle::Random random(RandomBudget::seed(47));
  for (RandomBudget budget(30); budget.more();) {
    const bool grid = random() % 2 == 0;
    const Mesh ma = testing::soup(random, 4, grid, 0.3), mb = testing::soup(random, 4, grid, 0.3);
    const Body a(ma), b(mb);
    const Pose pa = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    const Pose pb = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    const oracle::Rational square = exact_squared_distance(ma, pa, mb, pb);
    const double gap = std::sqrt(oracle::to_double(square));
    for (const double error : {0.0, 1e-15, 1e-9, 0.01, gap * (1 - 1e-9), gap, gap * (1 + 1e-12), 0.3 * gap, 2 * gap}) {
      const Touch touch = ask(a, pa, b, pb, error);
      const oracle::Rational kept = oracle::Rational(error) * oracle::Rational(error);
      if (touch == Touch::apart) {
        EXPECT_GT(square, error == 0 ? oracle::Rational(0) : kept);
      }
      if (touch == Touch::touching) {
        EXPECT_EQ(square, 0);
      }
      // Few triangles: nothing is left open that is clear, if the error is less than the size of the bodies.
      if (touch == Touch::open) {
        EXPECT_GT(square, 0);
        EXPECT_GE(error, std::min(0.99 * gap, 0.1));
      }
    }
    EXPECT_EQ(ask(a, pa, b, pb, 0), square == 0 ? Touch::touching : Touch::apart);
  }
}

TEST(TouchWithin, LeavesFlatFacesThatLieOnEachOtherToOthers) {
  const Body a(make::box({.divisions = 20}));
  EXPECT_EQ(ask(a, Pose(), a, Pose({0, 0, 1}), 0), Touch::touching);
  // 1e-15 apart along an axis, and off by more: neither.
  EXPECT_EQ(ask(a, Pose(), a, Pose({0.25, 0.25, 1 + 0x1p-52}), 1e-9), Touch::open);
}

TEST(TouchWithin, SizesBeyondSinglePrecisionAreLeftOpen) {
  const Body large(make::sphere({.radius = 1e30, .triangles = 100})), small(make::sphere({.triangles = 100}));
  EXPECT_EQ(ask(large, Pose(), small, Pose(), 0), Touch::open);
  EXPECT_EQ(ask(small, Pose(), small, Pose({3, 0, 0}), 1e9), Touch::open);
  EXPECT_EQ(ask(small, Pose(), small, Pose({3, 0, 0}), INFINITY), Touch::open);
  EXPECT_EQ(ask(small, Pose(), small, Pose({3, 0, 0}), NAN), Touch::open);
}

// Once all crossing pairs of triangles were listed before one of them was looked at exactly: within of deeply crossing
// bodies took 14 times as long as of bodies that are near.
TEST(WithinOfCrossingBodies, EndsAtTheFirstTrianglesThatCross) {
  const Body ball(make::sphere({.triangles = 5000}));
  const Pose turned({0.3, 0.2, 0.1}, {1, 0.1, 0.2, 0.3});
  for (const double d : {0.0, 1e-14, 1e-3}) {
    const WithinResult r = within(d, ball, Pose(), ball, turned);
    EXPECT_EQ(r.status, Status::contact);
    EXPECT_LT(r.counters.triangle_distances, 20u);
    EXPECT_LT(r.counters.rational_decided, 2u);
  }
}

}  // namespace
}  // namespace graze
