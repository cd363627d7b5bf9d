// SPDX-License-Identifier: MIT
// Sine, cosine, arc tangent and the angles of a rotation, without libm, against 100 digits.
#include "motion/angles.hpp"

#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "unit/motion/reference.hpp"

namespace {

using namespace graze;
using namespace graze::testing;

bool encloses(const Interval& i, const Real& x) { return Real(i.lo) <= x && x <= Real(i.hi); }

TEST(MotionAngles, SineAndCosine) {
  Dice dice(RandomBudget::seed(1));
  const double half_pi = 0x1.921fb54442d18p+0;
  for (RandomBudget budget(4000); budget.more();) {
    double x = std::ldexp(dice.real(-1, 1), dice.whole(-60, 20));
    if (dice.whole(0, 3) == 0) x = std::nearbyint(x) * half_pi;  // near the zeros
    if (std::fabs(x) > 0x1p20) continue;
    const motion::SineCosine f = motion::sine_cosine(x);
    ASSERT_LT(double(abs(Real(f.sine) - sin(Real(x)))), 0x1p-50) << x;
    ASSERT_LT(double(abs(Real(f.cosine) - cos(Real(x)))), 0x1p-50) << x;
  }
  EXPECT_EQ(motion::sine_cosine(0).sine, 0);
  EXPECT_EQ(motion::sine_cosine(0).cosine, 1);
}

TEST(MotionAngles, ArcTangent) {
  Dice dice(RandomBudget::seed(2));
  for (RandomBudget budget(2000); budget.more();) {
    const double y = std::ldexp(dice.real(-1, 1), dice.whole(-300, 10));
    const double x = dice.whole(0, 1) ? dice.real(-1, 1) : std::ldexp(dice.real(-1, 1), dice.whole(-300, 10));
    const Interval found = motion::arc_tangent(y, x);
    const Real truth = atan2(Real(y), Real(x));
    ASSERT_TRUE(encloses(found, truth)) << y << " " << x;
    ASSERT_LE(found.hi - found.lo, 0x1p-49 * found.magnitude()) << y << " " << x;
  }
  EXPECT_EQ(motion::arc_tangent(0, 2), Interval(0));
  EXPECT_TRUE(encloses(motion::arc_tangent(0, -1), Real(atan2(Real(0), Real(-1)))));
  EXPECT_TRUE(encloses(motion::arc_tangent(-3, 0), -acos(Real(0))));
  EXPECT_EQ(motion::arc_tangent(0, 0), Interval(-motion::pi.hi, motion::pi.hi));
  EXPECT_EQ(motion::arc_tangent({-1, 1}, {-1, 1}), Interval(-motion::pi.hi, motion::pi.hi));
  // A box: all of its points.
  const Interval box = motion::arc_tangent({0.5, 0.6}, {-0.3, -0.2});
  for (const double y : {0.5, 0.6})
    for (const double x : {-0.3, -0.2}) EXPECT_TRUE(encloses(box, atan2(Real(y), Real(x))));
}

/// Rz Ry Rx from the middles of the angles.
RealPlacement rotation_of(const motion::EulerAngles& e) {
  const auto middle = [](const Interval& i) { return (Real(i.lo) + Real(i.hi)) / 2; };
  return turn_about({0, 0, 1}, middle(e.yaw)) * turn_about({0, 1, 0}, middle(e.pitch)) *
         turn_about({1, 0, 0}, middle(e.roll));
}

void check_angles(const Quat& q) {
  const motion::EulerAngles e = motion::euler_angles(q);
  const RealPlacement truth = placed(Pose({0, 0, 0}, q)), found = rotation_of(e);
  for (const Interval& a : {e.roll, e.pitch, e.yaw}) EXPECT_LE(a.hi - a.lo, 1e-14);
  EXPECT_LE(e.pitch.lo, motion::pi.hi / 2);
  EXPECT_GE(e.pitch.hi, -motion::pi.hi / 2);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_LT(double(abs(truth.r[i] - found.r[i])), 2e-15) << oracle::describe(Pose({0, 0, 0}, q)) << " entry " << i;
}

TEST(MotionAngles, RollPitchYawOfPoses) {
  oracle::Random random(RandomBudget::seed(3));
  for (RandomBudget budget(300); budget.more() && !HasFailure();) check_angles(oracle::random_pose(random).rotation());
}

TEST(MotionAngles, GimbalLock) {
  for (const Quat& q : {Quat{1, 0, 1, 0}, Quat{1, 0, -1, 0}, Quat{1, 2, 1, -2}, Quat{1, 2, -1, 2}, Quat{-3, 1, 3, 1},
                        Quat{0, 1, 0, -1}, Quat{0, 1, 0, 1}, Quat{0x1p800, 0x1p-200, 0x1p800, -0x1p-200}}) {
    check_angles(q);
    EXPECT_EQ(motion::euler_angles(q).roll == Interval(0), std::fabs(q.w) == std::fabs(q.y));
  }
  // However near to it, and beyond what sin(pitch) could tell.
  for (const double away : {1e-3, 1e-8, 1e-12, 0x1p-52}) {
    check_angles({1 + away, 0.25, 1, -0.25});
    check_angles({1, 0.25, 1 + away, -0.25});
    check_angles({1, 0.25 + away, -1, 0.25});
    check_angles({1, 1e-200, 1, 1e-201});
  }
}

TEST(MotionAngles, SingleAxesAreExact) {
  for (const double s : {0.25, 1.0, -3.0, 0.5}) {
    const motion::EulerAngles yaw = motion::euler_angles({1, 0, 0, s}), roll = motion::euler_angles({1, s, 0, 0}),
                              pitch = motion::euler_angles({4, 0, s, 0});
    EXPECT_EQ(yaw.roll, Interval(0));
    EXPECT_EQ(yaw.pitch, Interval(0));
    EXPECT_EQ(roll.pitch, Interval(0));
    EXPECT_EQ(roll.yaw, Interval(0));
    EXPECT_EQ(pitch.roll, Interval(0));
    EXPECT_EQ(pitch.yaw, Interval(0));
    EXPECT_NEAR(yaw.yaw.lo, 2 * std::atan(s), 1e-15);
    EXPECT_NEAR(roll.roll.lo, 2 * std::atan(s), 1e-15);
    EXPECT_NEAR(pitch.pitch.lo, 2 * std::atan(s / 4), 1e-15);
  }
}

TEST(MotionAngles, SmallerDifference) {
  EXPECT_NEAR(motion::shorter_angle(3.0, -3.0).lo, 2 * 3.14159265358979 - 6, 1e-13);
  EXPECT_NEAR(motion::shorter_angle(-3.0, 3.0).lo, 6 - 2 * 3.14159265358979, 1e-13);
  EXPECT_EQ(motion::shorter_angle(1.0, 1.5), Interval(0.5));
  // Half a turn either way: the positive one.
  EXPECT_GT(motion::shorter_angle(0.0, -motion::pi).lo, 3);
  EXPECT_GT(motion::shorter_angle(0.0, motion::pi).lo, 3);
}

}  // namespace
