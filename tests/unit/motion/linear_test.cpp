// SPDX-License-Identifier: MIT
// LinearParameters against its definition in 100 digits.
#include <graze/core/error.hpp>

#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "unit/motion/reference.hpp"

namespace {

using namespace graze;
using namespace graze::testing;

struct RealAngles {
  Real roll, pitch, yaw;
};

RealMotion real_linear(const Vec3& from, const RealAngles& a, const Vec3& to, const RealAngles& b) {
  return [=](const Real& t) {
    const Real s = 1 - t;
    RealPlacement p = turn_about({0, 0, 1}, s * a.yaw + t * b.yaw) * turn_about({0, 1, 0}, s * a.pitch + t * b.pitch) *
                      turn_about({1, 0, 0}, s * a.roll + t * b.roll);
    p.t = RealVector(from) * s + RealVector(to) * t;
    return p;
  };
}
RealMotion real_linear(const RollPitchYaw& from, const RollPitchYaw& to) {
  return real_linear(from.translation, {from.roll, from.pitch, from.yaw}, to.translation, {to.roll, to.pitch, to.yaw});
}

/// From the matrix, as textbooks do it. Not in gimbal lock.
RealAngles angles_of(const Pose& pose) {
  const RealPlacement p = placed(pose);
  return {atan2(p.r[7], p.r[8]), asin(-p.r[6]), atan2(p.r[3], p.r[0])};
}
void shorter(const Real& from, Real& to) {
  const Real turn = 4 * acos(Real(0));
  if (to - from > turn / 2) to -= turn;
  if (to - from < -turn / 2) to += turn;
}
RealMotion real_linear(const Pose& from, const Pose& to) {
  const RealAngles a = angles_of(from);
  RealAngles b = angles_of(to);
  shorter(a.roll, b.roll);
  shorter(a.yaw, b.yaw);
  return real_linear(from.translation(), a, to.translation(), b);
}

TEST(LinearParameters, RandomAngles) {
  Dice dice(RandomBudget::seed(1));
  for (RandomBudget budget(30); budget.more() && !HasFailure();) {
    const double size = std::ldexp(1.0, dice.whole(-8, 8)), angle = std::ldexp(1.0, dice.whole(-40, 4));
    const auto any = [&] {
      return RollPitchYaw{dice.point(size), dice.real(-angle, angle), dice.real(-angle, angle), dice.real(-3, 3)};
    };
    const RollPitchYaw from = any(), to = any();
    Checker(LinearParameters(from, to), real_linear(from, to), 1, dice.bits()).all(8);
  }
}

TEST(LinearParameters, ManyTurnsAndFarAway) {
  Dice dice(RandomBudget::seed(2));
  for (const double angle : {30.0, 5000.0, 1048575.0})
    for (const double far : {1.0, 1e8}) {
      const RollPitchYaw from{dice.point(far), -angle, 0.3, angle}, to{dice.point(far), angle, angle, 0.1 * angle};
      Checker(LinearParameters(from, to), real_linear(from, to), 1, dice.bits()).all(10);
    }
}

TEST(LinearParameters, OneAngleIsATwist) {
  Dice dice(RandomBudget::seed(3));
  for (int which = 0; which < 4; ++which) {
    RollPitchYaw from{{1, 2, 3}, 0.3, -0.7, 2}, to = from;
    to.translation = {4, 2, -1};
    if (which == 0) to.roll = 1.5;
    if (which == 1) to.pitch = 1.5;
    if (which == 2) to.yaw = -1.5;
    const Motion m = LinearParameters(from, to);
    EXPECT_TRUE(m.path().bounds().twist);
    EXPECT_EQ(m.path().bounds().turn_speed == 0, which == 3);
    Checker(m, real_linear(from, to), 1, dice.bits()).all(20);
  }
}

TEST(LinearParameters, BetweenPoses) {
  oracle::Random random(RandomBudget::seed(4));
  for (RandomBudget budget(30); budget.more() && !HasFailure();) {
    const Pose from(oracle::real_point(random, 3), oracle::unit_quaternion(random));
    const Pose to(oracle::real_point(random, 3), oracle::unit_quaternion(random));
    SCOPED_TRACE(oracle::describe(from) + " " + oracle::describe(to));
    const Motion m = LinearParameters(from, to);
    EXPECT_EQ(m.path().start(), from);
    EXPECT_EQ(m.path().end(), to);
    Checker(m, real_linear(from, to), 1, random()).all(6);
  }
}

TEST(LinearParameters, NearGimbalLock) {
  Dice dice(RandomBudget::seed(5));
  for (const double away : {1e-3, 1e-7, 1e-11, 0x1p-52}) {
    const Pose from({0, 0, 0}, {1 + away, 0.25, 1, -0.25}), to({1, 2, 3}, {1, 0.125 + away, -1, 0.125});
    Checker(LinearParameters(from, to), real_linear(from, to), 1, dice.bits()).all(10);
  }
  // Exactly in it: roll 0, all of the turn is yaw, and the motion still starts and ends at the poses.
  const Pose up({0, 0, 0}, {1, 2, 1, -2}), down({1, 2, 3}, {3, 1, -3, 1});
  const Real right = acos(Real(0));
  // (roll - yaw) / 2 = atan2(x - z, w + y) going up, (roll + yaw) / 2 = atan2(x + z, w - y) going down.
  const RealAngles a{0, right, -2 * atan2(Real(4), Real(2))}, b{0, -right, 2 * atan2(Real(2), Real(6))};
  RealAngles last = b;
  shorter(a.yaw, last.yaw);
  Checker(LinearParameters(up, down), real_linear(up.translation(), a, down.translation(), last), 1, 7).all(20);
}

TEST(LinearParameters, SameRotationDoesNotTurn) {
  const Pose from({1, 2, 3}, {1, 2, 3, 4}), to({4, 4, 4}, {-2, -4, -6, -8});
  const Motion m = LinearParameters(from, to);
  EXPECT_EQ(m.path().bounds().turn_speed, 0);
  EXPECT_TRUE(m.path().bounds().twist);
  Checker(m, real_linear(from, from.translation() == Vec3{} ? from : Pose({4, 4, 4}, {1, 2, 3, 4})), 1, 3).all(10);
}

TEST(LinearParameters, ExactEndsWhereAnglesAreZero) {
  const Motion m = LinearParameters(RollPitchYaw{{1, 2, 3}, 0, 0, 0}, RollPitchYaw{{1, 2, 3}, 0, 0, 1});
  EXPECT_EQ(m.path().start(), Pose({1, 2, 3}));
  EXPECT_FALSE(m.path().end().has_value());
}

TEST(LinearParameters, BadInput) {
  const double nan = std::nan("");
  EXPECT_THROW(LinearParameters(RollPitchYaw{{nan, 0, 0}}, RollPitchYaw{}), Error);
  EXPECT_THROW(LinearParameters(RollPitchYaw{}, RollPitchYaw{{}, nan, 0, 0}), Error);
  EXPECT_THROW(LinearParameters(RollPitchYaw{}, RollPitchYaw{{}, 0, 0x1p20, 0}), Error);
}

}  // namespace
