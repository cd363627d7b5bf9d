// SPDX-License-Identifier: MIT
// Still, Velocity and Screw against their definitions in 100 digits.
#include "oracle/pose_generators.hpp"
#include "random_budget.hpp"
#include "unit/motion/reference.hpp"

#include <graze/core/error.hpp>

namespace {

using namespace graze;
using namespace graze::testing;

void check_velocity(const Pose& from, const Pose& to, const Vec3& reference, double size, std::uint64_t seed,
                    int rounds = 6) {
  SCOPED_TRACE("Velocity " + oracle::describe(from) + " " + oracle::describe(to) + " seed " + std::to_string(seed));
  Checker(Velocity(from, to, reference), real_velocity(from, to, reference), size, seed).all(rounds);
}
void check_screw(const Pose& from, const Pose& to, double size, std::uint64_t seed, int rounds = 6) {
  SCOPED_TRACE("Screw " + oracle::describe(from) + " " + oracle::describe(to) + " seed " + std::to_string(seed));
  Checker(Screw(from, to), real_screw(from, to), size, seed).all(rounds);
}
void check_both(const Pose& from, const Pose& to, double size, std::uint64_t seed, int rounds = 6) {
  check_velocity(from, to, {}, size, seed, rounds);
  check_velocity(from, to, {0.3 * size, -size, 2 * size}, size, seed + 1, rounds);
  check_screw(from, to, size, seed + 2, rounds);
}

/// About a fixed odd axis.
Pose turned(double angle, const Vec3& shift) {
  const double s = std::sin(angle / 2);
  return Pose(shift, {std::cos(angle / 2), 0.36 * s, 0.48 * s, -0.8 * s});
}

TEST(RigidMotions, StillStays) {
  oracle::Random random(RandomBudget::seed(1));
  for (RandomBudget budget(40); budget.more() && !HasFailure();) {
    const Pose pose = oracle::random_pose(random);
    SCOPED_TRACE(oracle::describe(pose));
    const RealPlacement p = placed(pose);
    Checker(
        Still{pose}, [=](const Real&) { return p; }, 2, random())
        .all(5);
    EXPECT_EQ(Motion(Still{pose}).path().start(), pose);
    EXPECT_EQ(Motion(Still{pose}).path().end(), pose);
    EXPECT_EQ(Motion(Still{pose}).path().bounds().speed, 0);
  }
  Checker(
      Motion(), [](const Real&) { return RealPlacement{}; }, 1, 1)
      .all(10);
}

TEST(RigidMotions, RandomPoses) {
  oracle::Random random(RandomBudget::seed(2));
  for (RandomBudget budget(50); budget.more() && !HasFailure();) {
    const Pose from = oracle::random_pose(random), to = oracle::random_pose(random);
    check_both(from, to, 1, random(), 4);
  }
}

TEST(RigidMotions, SmallAndVanishingTurns) {
  std::uint64_t seed = RandomBudget::seed(3);
  const Pose from({1, 2, 3}, {0.5, -0.5, 0.5, 0.5});
  for (const double angle : {0.3, 0.26, 0.24, 0.126, 0.1249, 1e-2, 1e-4, 1e-6, 1e-8, 1e-12, 1e-16, 1e-20, 1e-25}) {
    const Quat q = from.rotation();
    // q (1 + angle / 2 k): exactly such a quaternion, whatever its rotation then is.
    const Quat next{q.w - angle / 2 * q.z, q.x + angle / 2 * q.y, q.y - angle / 2 * q.x, q.z + angle / 2 * q.w};
    for (const Vec3& shift : {Vec3{1, 2, 3}, Vec3{1.5, 2, 3}, Vec3{-40, 2, 13}, Vec3{1, 2 + 1e-12, 3}})
      check_both(from, Pose(shift, next), 1, seed += 10, 4);
  }
}

TEST(RigidMotions, PureTranslationAndPureRotation) {
  std::uint64_t seed = RandomBudget::seed(4);
  const Pose from({1, 2, 3}, {1, 2, 3, 4});
  check_both(from, Pose({5, -2, 0}, {1, 2, 3, 4}), 1, seed += 10);
  check_both(from, Pose({5, -2, 0}, {-2, -4, -6, -8}), 1, seed += 10);  // the same rotation
  check_both(from, Pose({1, 2, 3}, {3, -1, 0, 2}), 1, seed += 10);
  check_both(from, from, 1, seed += 10);
  EXPECT_EQ(Motion(Screw(from, Pose({5, -2, 0}, {-2, -4, -6, -8}))).path().bounds().turn_speed, 0);
}

TEST(RigidMotions, HalfTurns) {
  std::uint64_t seed = RandomBudget::seed(5);
  const Pose start({1, 0, 0});
  for (const Quat& q : {Quat{0, 1, 0, 0}, Quat{0, -1, 0, 0}, Quat{0, 0, -2, 0}, Quat{0, 0, 0, 1}, Quat{0, 0, -3, 4},
                        Quat{0, -1, 2, 5}, Quat{0x1p-900, 3, 0, 1}, Quat{-0x1p-900, 3, 0, 1}, Quat{1e-17, 3, 0, 1},
                        Quat{-1e-17, 3, 0, 1}, Quat{1e-9, -3, 2, 1}, Quat{-1e-9, -3, 2, 1}})
    check_both(start, Pose({2, 3, -1}, q), 1, seed += 10, 4);
  // Ties between two poses that turn: (1, 2, 3, 4) and (2, -1, 4, -3) are at right angles.
  check_both(Pose({0, 0, 0}, {1, 2, 3, 4}), Pose({1, 1, 1}, {2, -1, 4, -3}), 1, seed += 10);
  check_both(Pose({0, 0, 0}, {1, 2, 3, 4}), Pose({1, 1, 1}, {-2, 1, -4, 3}), 1, seed += 10);
  // The tie's axis: first component that is not zero is positive.
  const Motion m = Velocity(Pose{}, Pose({0, 0, 0}, {0, 0, -3, 4}));
  EXPECT_GT(m.path().at(0.0).w.y, 0);
  EXPECT_LT(m.path().at(0.0).w.z, 0);
}

TEST(RigidMotions, NearHalfTurns) {
  std::uint64_t seed = RandomBudget::seed(6);
  for (const double less : {1e-3, 1e-8, 1e-15, -1e-15, -1e-8, -1e-3})
    check_both(turned(0.4, {3, 2, 1}), turned(0.4 + 3.14159265358979323846 - less, {0, 1, 0}), 1, seed += 10);
}

TEST(RigidMotions, FarAndTiny) {
  std::uint64_t seed = RandomBudget::seed(7);
  for (const double far : {1e8, -1e12, 1e-9}) {
    for (const double size : {1e-6, 1.0, 1e6}) {
      const Vec3 at = Vec3{1, -0.7, 0.3} * far;
      check_both(turned(0.2, at), turned(1.4, at + Vec3{size, -size, 0}), size, seed += 10, 3);
      check_both(turned(0.2, at), turned(0.2 + 1e-7, at + Vec3{size, -size, 0}), size, seed += 10, 3);
      check_both(turned(0.2, at), turned(0.3, at * -1.0), size, seed += 10, 3);
    }
  }
}

TEST(RigidMotions, ManyTurns) {
  Dice dice(RandomBudget::seed(8));
  for (const double speed : {0.0, 1e-300, 1e-160, 1e-12, 1.0, 6.283185307179586, 40.0, 1000.0, 1048575.0}) {
    for (int i = 0; i < 4; ++i) {
      const double angle = dice.real(-3, 3);
      const Pose from = turned(angle, dice.point(10));
      const Vec3 v = dice.point(3), w = dice.direction() * speed, reference = i % 2 ? dice.point(2) : Vec3{};
      SCOPED_TRACE(::testing::Message() << "speed " << speed);
      Checker(Velocity::from_speeds(from, v, w, reference), real_speeds(from, v, w, reference), 1, dice.bits()).all(6);
    }
  }
}

TEST(RigidMotions, TurnsTooSmallToSquare) {
  // 1 / |w|^2 overflows; the bound must not lose the linear part with it.
  for (const double speed : {1e-150, 1e-160, 1e-200, 1e-300, 4e-324})
    for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0.36, 0.48, 0.8}}) {
      const Motion m = Velocity::from_speeds(Pose{}, {1, 0, 0}, axis * speed);
      for (const Vec3& centre : {Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, -1}, Vec3{-1, -2, -3}})
        EXPECT_GE(m.travel({1, 0.5, 0.25}, centre, 0.5, 0, 1), 1) << speed << " " << axis.x;
    }
}

TEST(RigidMotions, WheelReach) {
  // A wheel that spins a thousand times never gets further along n than its rim: one step, docs/design.md 4 (iii).
  const Motion wheel = Velocity::from_speeds(Pose{}, {}, {0, 0, 6283});
  EXPECT_LE(wheel.travel({1, 0, 0}, {0, 0, 0}, 1, 0, 1), 2.0001);
  EXPECT_LE(wheel.travel({1, 0, 0}, {1, 0, 0}, 0, 0, 1), 1e-9);
  EXPECT_LE(wheel.travel({0, 0, 1}, {0, 0, 0}, 1, 0, 1), 1e-9);
}

TEST(RigidMotions, BadInput) {
  const double nan = std::nan(""), inf = HUGE_VAL;
  EXPECT_THROW(Velocity::from_speeds(Pose{}, {nan, 0, 0}, {}), Error);
  EXPECT_THROW(Velocity::from_speeds(Pose{}, {}, {0, inf, 0}), Error);
  EXPECT_THROW(Velocity::from_speeds(Pose{}, {}, {0, 0x1p20, 0}), Error);
  EXPECT_THROW(Velocity(Pose{}, Pose{}, {0, 0, nan}), Error);
  const Motion m = Velocity::from_speeds(Pose{}, {1, 0, 0}, {});
  // Nothing is said about what was not asked properly.
  EXPECT_EQ(m.travel({nan, 0, 0}, {}, 1, 0, 1), inf);
  EXPECT_EQ(m.travel({1, 0, 0}, {}, 1, 0.5, 0.25), inf);
  EXPECT_EQ(m.over(0.5, 2).t[0], Interval::whole());
}

}  // namespace
