// SPDX-License-Identifier: MIT
#include "motion/own_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "motion/scaled.hpp"

namespace graze::motion {

namespace {

using math::infinity;

Interval believed(const Interval& x) { return x.lo <= x.hi ? x : Interval::whole(); }

}  // namespace

Bounds unbounded() {
  Bounds b;
  b.twist = false;
  b.speed = b.turn_speed = b.acceleration = b.turn_acceleration = infinity;
  b.error = b.turn_error = b.velocity_error = b.turn_velocity_error = infinity;
  return b;
}

OwnPath::OwnPath(std::shared_ptr<const OwnMotion> own, int exponent) : own_(std::move(own)), exponent_(exponent) {
  if (!own_)
    throw Error(core::problem(ErrorCode::bad_option, "motion",
                              "a motion was made from a null pointer; give it an object derived from OwnMotion"));
  bounds_ = unbounded();
}

// Each call below holds a guard: changes that the callback makes to the floating-point environment end with the call,
// and the rest of the query runs in the environment that graze requires.

Instant OwnPath::at(double t, const Vec3& origin) const {
  const Placement p = placement(t);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {p.r, p.t - origin, {nan, nan, nan}, {nan, nan, nan}};
}

Motion OwnPath::scaled(int exponent) const {
  return Motion(std::make_shared<const OwnPath>(own_, exponent_ + exponent));
}

Placement OwnPath::placement(double t) const {
  Placement p;
  {
    const core::FpGuard guard;
    p = own_->at(t);
  }
  return exponent_ == 0 ? p : Placement{p.r, motion::scaled(p.t, exponent_)};
}

IntervalPlacement OwnPath::over(const Interval& t) const {
  IntervalPlacement p;
  {
    const core::FpGuard guard;
    p = own_->over(t.lo, t.hi);
  }
  for (Interval& x : p.r) x = believed(x);
  for (Interval& x : p.t) x = exponent_ == 0 ? believed(x) : motion::scaled(believed(x), exponent_);
  return p;
}

double OwnPath::travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  Vec3 own_centre = centre;
  double own_radius = radius, s;
  if (exponent_ != 0) {
    // The ball in the caller's units. Where scaling loses digits, the ball is enlarged slightly.
    own_centre = motion::scaled(centre, -exponent_);
    own_radius = std::ldexp(radius, -exponent_) * (1 + 0x1p-50) + 4 * std::numeric_limits<double>::denorm_min();
  }
  {
    const core::FpGuard guard;
    s = own_->travel(n, own_centre, own_radius, t0, t1);
  }
  if (exponent_ != 0 && s > 0) s = next_up(std::ldexp(s, exponent_));
  // At t = t0 the travelled distance is 0, so a negative answer means 0.
  return s <= infinity ? std::max(s, 0.0) : infinity;
}

}  // namespace graze::motion
