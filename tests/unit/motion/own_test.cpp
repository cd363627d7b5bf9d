// SPDX-License-Identifier: MIT
// User-defined motions: trusted where they give bounds, harmless where they give none.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <graze/core/error.hpp>
#include <graze/motion/motion.hpp>

#include "core/fp_guard.hpp"
#include "motion/path.hpp"

namespace {

using namespace graze;

class Own : public OwnMotion {
 public:
  Placement placement;
  IntervalPlacement everywhere;
  double bound = 0;
#if defined(__SSE2__)
  mutable unsigned seen = 0;
#endif

  Placement at(double t) const override {
    disturb();
    Placement p = placement;
    p.t.x += t;
    return p;
  }
  IntervalPlacement over(double, double) const override {
    disturb();
    return everywhere;
  }
  double travel(const Vec3&, const Vec3&, double, double, double) const override {
    disturb();
    return bound;
  }

 private:
  void disturb() const {
#if defined(__SSE2__)
    seen = _mm_getcsr();
    _mm_setcsr(0x1F80 | 0x6000 | 0x8040);  // towards zero, flushing: must not last
#endif
  }
};

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(OwnMotion, IsTrusted) {
  auto own = std::make_shared<Own>();
  own->placement.t = {1, 2, 3};
  own->everywhere.t[0] = {1, 2};
  own->bound = 0.75;
  const Motion m(std::shared_ptr<const OwnMotion>{own});
  EXPECT_FALSE(m.path().kinematic());
  EXPECT_EQ(m.at(0.5).t, (Vec3{1.5, 2, 3}));
  EXPECT_EQ(m.over(0, 1).t[0], Interval(1, 2));
  EXPECT_EQ(m.travel({1, 0, 0}, {}, 1, 0, 1), 0.75);
  EXPECT_FALSE(m.path().start().has_value());
}

TEST(OwnMotion, NanIsAnywhere) {
  auto own = std::make_shared<Own>();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  own->everywhere.t = {Interval(nan, 1), Interval(0, nan), Interval(2, 1)};
  own->everywhere.r[4] = {nan, nan};
  own->bound = nan;
  const Motion m(std::shared_ptr<const OwnMotion>{own});
  const IntervalPlacement p = m.over(0, 1);
  for (const Interval& x : p.t) EXPECT_EQ(x, Interval::whole());
  EXPECT_EQ(p.r[4], Interval::whole());
  EXPECT_EQ(p.r[0], Interval(1));
  EXPECT_EQ(m.travel({1, 0, 0}, {}, 1, 0, 1), inf);
  own->bound = -3;
  EXPECT_EQ(m.travel({1, 0, 0}, {}, 1, 0, 1), 0);
  own->bound = -inf;
  EXPECT_EQ(m.travel({1, 0, 0}, {}, 1, 0, 1), 0);
  // Velocities asked for by mistake certify nothing.
  EXPECT_EQ(m.path().bounds().speed, inf);
  EXPECT_TRUE(std::isnan(m.path().at(0.5).v.x));
}

TEST(OwnMotion, NullIsRefused) { EXPECT_THROW(Motion(std::shared_ptr<const OwnMotion>{}), Error); }

#if defined(__SSE2__)
TEST(OwnMotion, EnvironmentIsKept) {
  auto own = std::make_shared<Own>();
  const Motion m(std::shared_ptr<const OwnMotion>{own});
  const unsigned mine = 0x1F80 | 0x2000;  // downward
  _mm_setcsr(mine);
  m.at(0.5);
  const unsigned after_at = _mm_getcsr();
  m.over(0, 1);
  const unsigned after_over = _mm_getcsr();
  m.travel({1, 0, 0}, {}, 1, 0, 1);
  const unsigned after_travel = _mm_getcsr();
  _mm_setcsr(0x1F80);
  EXPECT_EQ(after_at, mine);
  EXPECT_EQ(after_over, mine);
  EXPECT_EQ(after_travel, mine);
  // Inside a query, after each callback, ours again.
  const core::FpGuard guard;
  m.path().over(Interval(0, 1));
  EXPECT_EQ(_mm_getcsr() & 0xE040u, 0u);
  m.path().travel({1, 0, 0}, {}, 1, 0, 1);
  EXPECT_EQ(_mm_getcsr() & 0xE040u, 0u);
  m.path().placement(0);
  EXPECT_EQ(_mm_getcsr() & 0xE040u, 0u);
}
#endif

}  // namespace
