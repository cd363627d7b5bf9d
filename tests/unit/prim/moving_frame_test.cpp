// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include <graze/motion/motion.hpp>

#include "oracle/pose_generators.hpp"
#include "prim/moving/frame.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using prim::MovingFrame;
using prim::MovingPoint;
using testing::RandomBudget;

/// All placements at one instant, as the motion itself encloses them.
struct Enclosed {
  Vec3 middle;
  double radius;
};
Enclosed apply(const IntervalPlacement& p, const Vec3& x) {
  Enclosed e;
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Interval y =
        p.r[3 * i] * Interval(x.x) + p.r[3 * i + 1] * Interval(x.y) + p.r[3 * i + 2] * Interval(x.z) + p.t[i];
    e.middle[static_cast<int>(i)] = 0.5 * (y.lo + y.hi);
    squares += (y.hi - y.lo) * (y.hi - y.lo);
  }
  e.radius = std::sqrt(squares);
  return e;
}

class Wrapped : public OwnMotion {
 public:
  explicit Wrapped(Motion m) : motion_(std::move(m)) {}
  Placement at(double t) const override { return motion_.at(t); }
  IntervalPlacement over(double t0, double t1) const override { return motion_.over(t0, t1); }
  double travel(const Vec3& n, const Vec3& c, double r, double t0, double t1) const override {
    return motion_.travel(n, c, r, t0, t1);
  }

 private:
  Motion motion_;
};

Motion random_motion(oracle::Random& random) {
  // Draws one after the other: the order in which a call's arguments are evaluated is the compiler's.
  const auto pose = [&] {
    const Vec3 place = oracle::real_point(random, 3);
    return Pose(place, oracle::whole_quaternion(random));
  };
  const auto angle = [&] { return oracle::real(random, -4, 4); };
  const auto parameters = [&] { return RollPitchYaw{oracle::real_point(random, 3), angle(), angle(), angle()}; };
  const int kind = oracle::whole(random, 0, 5);
  const Pose from = pose(), to = pose();
  const Vec3 linear = oracle::real_point(random, 3), angular = oracle::real_point(random, 9);
  const Vec3 reference = oracle::real_point(random, 5);
  const RollPitchYaw first = parameters(), last = parameters();
  switch (kind) {
    case 0: return Still{from};
    case 1: return Screw(from, to);
    case 2: return Velocity::from_speeds(from, linear, angular, reference);
    case 3: return LinearParameters(first, last);
    case 4: return Motion(std::make_shared<Wrapped>(Velocity(from, to)));
    default: return Velocity(from, to, reference);
  }
}

Vec3 reference(const Motion& m) { return m.path().kinematic() ? m.path().reference() : Vec3{}; }

/// Every place that the motions' own enclosures give at an instant is in the form over a span around it: in the world,
/// and of one body seen from the other.
TEST(MovingFrame, HoldsEveryPlaceOfTheSpan) {
  oracle::Random random(RandomBudget::seed(41));
  for (RandomBudget budget(400); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(RandomBudget::seed(41)));
    const Motion a = random_motion(random), b = random_motion(random);
    const double width = std::ldexp(1.0, -oracle::whole(random, 0, 30)), t0 = oracle::real(random, 0, 1 - width);
    const prim::MovingUnits units{oracle::whole(random, 0, 1) ? 1.0 : 0x1p20, oracle::real_point(random, 2)};
    const double t1 = std::min(1.0, t0 + width);
    const MovingFrame fa = prim::over(a.path(), t0, t1, units), fb = prim::over(b.path(), t0, t1, units);
    const MovingFrame ba = prim::relative(fa, fb);
    const double m = std::clamp(0.5 * t0 + 0.5 * t1, t0, t1), h = std::max(m - t0, t1 - m);
    const Vec3 x = oracle::real_point(random, 3), y = oracle::real_point(random, 3);
    for (int i = 0; i <= 8; ++i) {
      const double t = std::clamp(t0 + (t1 - t0) * i / 8, t0, t1), s = h > 0 ? (t - m) / h : 0;
      const IntervalPlacement pa = a.over(t, t), pb = b.over(t, t);
      const auto check = [&](const MovingFrame& f, const Motion& motion, const IntervalPlacement& p,
                             const Vec3& local) {
        const Enclosed real = apply(p, local);
        const Vec3 wanted = (real.middle - units.origin) * units.scale;
        const MovingPoint at = f.place((local - reference(motion)) * units.scale);
        EXPECT_LE(length(at.at(s) - wanted), at.r + (real.radius + 0x1p-48) * units.scale);
        return wanted;
      };
      check(fa, a, pa, x);
      const Vec3 place = check(fb, b, pb, y);
      // The same place of y, as the form of B in A has it, brought back into the world by A.
      const MovingPoint seen = ba.place((y - reference(b)) * units.scale);
      const Vec3 in_a = seen.at(s) * (1 / units.scale) + reference(a);
      const Enclosed back = apply(pa, in_a);
      EXPECT_LE(length((back.middle - units.origin) * units.scale - place),
                seen.r + (2 * back.radius + 0x1p-45) * units.scale);
    }
  }
}

/// The rest shrinks with the square of the span (until rounding), and not at all of what a pure shift leaves.
TEST(MovingFrame, IsOfSecondOrder) {
  const Motion turning = Velocity::from_speeds(Pose(), {1, 2, 3}, {0.5, 1, -0.25});
  const Motion still = Still{}, shifting = Velocity(Pose({1, 2, 3}), Pose({4, 4, 4}));
  double last = 0;
  for (int k = 0; k < 12; ++k) {
    const double h = std::ldexp(1.0, -k);
    const MovingFrame f = prim::relative(prim::over(turning.path(), 0, h, {}), prim::over(still.path(), 0, h, {}));
    const double r = f.place({1, 1, 1}).r;
    if (k > 2) {
      EXPECT_NEAR(last / r, 4, 0.5);
    }
    last = r;
  }
  EXPECT_LT(prim::over(shifting.path(), 0, 1, {}).place({1, 1, 1}).r, 1e-13);
}

}  // namespace
}  // namespace graze
