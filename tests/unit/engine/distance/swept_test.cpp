// SPDX-License-Identifier: MIT
// Two meshes of which one is moved to either side, against exact distances on the way.
#include "engine/distance/swept.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <graze/ask/distance.hpp>
#include <graze/body/body.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

bool ask(double d, const Body& a, const Pose& pa, const Body& b, const Pose& pb, const Vec3& way) {
  Counters counters;
  return engine::distance::apart_while_swept(d, a.data(), pa, b.data(), pb, way, counters);
}
Pose shifted(const Pose& pose, const Vec3& by) { return Pose(pose.translation() + by, pose.rotation()); }

TEST(Swept, NothingComesNearerOnTheWay) {
  oracle::Random random(RandomBudget::seed(53));
  int certified = 0, open = 0;
  for (RandomBudget budget(300); budget.more() && !HasFailure();) {
    const Mesh ma = testing::soup(random, 12, random() % 2 == 0, 0.3), mb = testing::soup(random, 12, false, 0.3);
    const Body a(ma), b(mb);
    const Pose pa = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    Pose pb = oracle::random_pose(random, static_cast<oracle::PoseFamily>(random() % 8));
    if (random() % 2) pb = shifted(pb, oracle::real_point(random, 6));
    const double gap = distance(a, pa, b, pb).distance;
    const Vec3 way = oracle::real_point(random) * (gap * 1.5);
    const double d = gap * 0.5 * (oracle::real(random) + 1);
    if (!ask(d, a, pa, b, pb, way)) {
      ++open;
      continue;
    }
    ++certified;
    for (int k = -4; k <= 4; ++k) EXPECT_GT(distance(a, pa, b, shifted(pb, way * (0.25 * k))).distance, d * (1 - 1e-9));
  }
  EXPECT_GT(certified, 20);
  EXPECT_GT(open, 20);
}

TEST(Swept, AWayAlongTheOtherBodyIsShown) {
  const Body wall(make::box({.size = {0.1, 10, 10}, .divisions = 10})), ball(make::sphere({.triangles = 2000}));
  for (const Quat& q : {Quat{}, Quat{1, 0.2, 0.3, 0.4}}) {
    const Pose at({0.05, 0, 0}), turned({1.25, 0, 0}, q);
    EXPECT_TRUE(ask(0.14, wall, at, ball, turned, {0, 2, 3}));
    EXPECT_TRUE(ask(0.09, wall, at, ball, turned, {0.05, 2, 3}));
    EXPECT_FALSE(ask(0.11, wall, at, ball, turned, {0.05, 2, 3}));
    EXPECT_FALSE(ask(0, wall, at, ball, turned, {0.2, 0, 0}));
    EXPECT_FALSE(ask(0, ball, turned, wall, at, {0.2, 0, 0}));
    EXPECT_TRUE(ask(0.09, ball, turned, wall, at, {-0.05, 2, 3}));
  }
}

TEST(Swept, NothingIsShownOfWaysThatAreNoNumbers) {
  const Body ball(make::sphere({.triangles = 100}));
  const Pose far({5, 0, 0});
  EXPECT_TRUE(ask(0, ball, Pose(), ball, far, {}));
  EXPECT_TRUE(ask(0, ball, Pose(), ball, far, {0, 1e-300, 5e-324}));
  EXPECT_FALSE(ask(0, ball, Pose(), ball, far, {NAN, 0, 0}));
  EXPECT_FALSE(ask(0, ball, Pose(), ball, far, {INFINITY, 0, 0}));
  EXPECT_FALSE(ask(0, ball, Pose(), ball, far, {1e300, 0, 0}));
  EXPECT_FALSE(ask(NAN, ball, Pose(), ball, far, {}));
  EXPECT_FALSE(ask(INFINITY, ball, Pose(), ball, far, {}));
}

}  // namespace
}  // namespace graze
