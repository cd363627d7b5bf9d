// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/ask/distance.hpp>

#include "oracle/exact_oracle.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::exact_squared_distance;
using testing::RandomBudget;

TEST(Distance, IsRightToTheRelativeErrorInAnyPose) {
  oracle::Random random(RandomBudget::seed(31));
  for (RandomBudget budget(40); budget.more();) {
    const bool grid = random() % 2 == 0;
    const Mesh ma = testing::soup(random, 3, grid, 0.3), mb = testing::soup(random, 3, grid, 0.3);
    const Body a(ma), b(mb);
    Pose pa = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    Pose pb = random() % 3 == 0 ? pa : oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    const double exact = std::sqrt(oracle::to_double(exact_squared_distance(ma, pa, mb, pb)));
    for (const char* method : {"tree", "brute"}) {
      const DistanceResult r = distance(a, pa, b, pb, {.method = method});
      if (exact == 0) {
        EXPECT_EQ(r.status, Status::contact);
        EXPECT_EQ(r.distance, 0);
      } else {
        EXPECT_EQ(r.status, Status::free);
        EXPECT_NEAR(r.distance, exact, 1.01e-9 * exact);
        EXPECT_NEAR(length(r.points[0] - r.points[1]), exact, 1e-6 * exact + 1e-12);
      }
      EXPECT_TRUE(r.feature.has_value());
    }
    if (exact > 0) {
      EXPECT_EQ(within(exact * (1 + 1e-12), a, pa, b, pb).status, Status::contact);
      EXPECT_EQ(within(exact * (1 - 1e-12), a, pa, b, pb).status, Status::free);
    } else {
      EXPECT_EQ(within(0, a, pa, b, pb).status, Status::contact);
    }
  }
}

TEST(Distance, WithinIsExactOnWholeNumbers) {
  const Body a(testing::box({0, 0, 0}, {1, 1, 1}));
  const Pose here, there({4, 0, 0}), corner({4, 5, 0});
  EXPECT_EQ(within(3, a, here, a, there).status, Status::contact);
  EXPECT_EQ(within(std::nextafter(3, 0), a, here, a, there).status, Status::free);
  EXPECT_EQ(within(5, a, here, a, corner).status, Status::contact);  // 3, 4, 5
  EXPECT_EQ(within(std::nextafter(5, 0), a, here, a, corner).status, Status::free);
  EXPECT_EQ(within(-1, a, here, a, there).status, Status::invalid_request);
}

TEST(Distance, FarFromTheOriginAndTinyAndHuge) {
  const Body unit(testing::box({0, 0, 0}, {1, 1, 1}));
  const DistanceResult far = distance(unit, Pose({1e9, 0, 0}), unit, Pose({1e9 + 1.5, 0, 0}));
  EXPECT_EQ(far.distance, 0.5);
  const Body tiny(testing::box({0, 0, 0}, {1e-300, 1e-300, 1e-300}));
  EXPECT_DOUBLE_EQ(distance(tiny, Pose(), tiny, Pose({3e-300, 0, 0})).distance, 2e-300);
  const Body huge(testing::box({0, 0, 0}, {1e307, 1e307, 1e307}));
  EXPECT_DOUBLE_EQ(distance(huge, Pose(), huge, Pose({3e307, 0, 0})).distance, 2e307);
}

TEST(Distance, FeaturesAndNormalOfBoxes) {
  const Body unit(testing::box({0, 0, 0}, {1, 1, 1}));
  const DistanceResult r = distance(unit, Pose(), unit, Pose({3, 0.25, 0.25}));
  EXPECT_EQ(r.distance, 2);
  ASSERT_TRUE(r.normal.has_value());
  EXPECT_EQ(*r.normal, (Vec3{1, 0, 0}));
}

TEST(Distance, SameForAnyNumberOfThreads) {
  oracle::Random random(33);
  const Body a(testing::soup(random, 400, false, 0.1)), b(testing::soup(random, 400, false, 0.1));
  for (int i = 0; i < 10; ++i) {
    const Pose pa = oracle::random_pose(random, oracle::PoseFamily::unit_quaternion);
    const Pose pb({3.0 + i, 0, 0}, oracle::unit_quaternion(random));
    const DistanceResult one = distance(a, pa, b, pb);
    for (int threads : {2, 3}) {
      const DistanceResult more = distance(a, pa, b, pb, {.threads = threads});
      EXPECT_EQ(one.distance, more.distance);
      EXPECT_EQ(one.pair, more.pair);
      EXPECT_EQ(one.feature, more.feature);
      EXPECT_EQ(one.points, more.points);
    }
  }
}

TEST(Distance, RefusesWhatItCannotDo) {
  const Body unit(testing::box({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(distance(unit, Pose(), unit, Pose(), {.relative_error = 0}).status, Status::invalid_request);
  EXPECT_EQ(distance(unit, Pose(), unit, Pose(), {.method = "magic"}).status, Status::invalid_request);
  EXPECT_EQ(distance(unit, Pose(), unit, Pose(), {.threads = 0}).status, Status::invalid_request);
}

}  // namespace
}  // namespace graze
