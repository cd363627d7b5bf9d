// SPDX-License-Identifier: MIT
#include "motion/travel.hpp"

#include <algorithm>

#include "math/vectors.hpp"

namespace graze::motion {

namespace {

using math::infinity;

/// NaN (after an overflow, or from NaN input) becomes infinity: no bound.
double upper(const Interval& x) { return x.hi <= infinity && !x.empty() ? std::max(0.0, x.hi) : infinity; }

IntervalMatrix enclose(const std::array<double, 9>& m) {
  IntervalMatrix r;
  for (std::size_t i = 0; i < 9; ++i) r[i] = m[i];
  return r;
}

/// (i) and (iii) of docs/design.md 4: constant v and w of a computed path that is a twist. `u` is the vector from the
/// reference point to the centre at t0.
double twist_bound(const Bounds& real, const Sweep& s, const Instant& now, const IntervalVector& u, const Interval& dt,
                   const Interval& far) {
  using motion::enclose;
  const IntervalVector n = enclose(s.n), w = enclose(now.w);
  const Interval size(length_above(n)), radius(s.radius);
  const Interval linear = dot(n, enclose(now.v));
  const Interval squared = squared_length(w);
  // Below this, 1 / |w|^2 is unusable, and knowing the axis gives no advantage.
  if (!(squared.lo > 0x1p-900)) return infinity;
  const Interval w_length = sqrt(squared), side(length_above(cross(n, w)));
  const Interval from_axis = Interval(length_above(cross(w, u))) / w_length + radius;
  // Every velocity is v + w x u(t), and its component along n is n . v + (n x w) . u(t); the distance of u(t) from the
  // axis is constant.
  const Interval slack = size * (Interval(real.velocity_error) + Interval(real.turn_velocity_error) * far);
  const Interval constant = (linear + side * from_axis + slack) * dt;
  // n . (u(t) - u(t0)) <= |n'| |u'| - n' . u(t0), with n' and u' perpendicular to the axis; for all points of the ball.
  const IntervalVector across = n - w * (dot(n, w) / squared);
  const Interval places = Interval(2) * size * (Interval(real.error) + Interval(real.turn_error) * far);
  const Interval drift = size * Interval(real.velocity_error) * dt;
  const Interval reach = Interval(std::max(0.0, (linear * dt).hi)) + drift + side / w_length * (from_axis + radius) -
                         dot(across, u) + places;
  return std::min(upper(constant), upper(reach));
}

}  // namespace

double length_above(const IntervalVector& a) {
  const double largest = std::max({a[0].magnitude(), a[1].magnitude(), a[2].magnitude()});
  if (a[0].empty() || a[1].empty() || a[2].empty() || !(largest < infinity)) return infinity;
  if (largest == 0) return 0;
  // Scaled, so that the squares neither overflow nor all underflow; three underflowed squares sum to less than 2^-900.
  Interval sum(0);
  for (const Interval& x : a) sum += sqr(Interval(x.magnitude()) / Interval(largest));
  return (sqrt(sum) * Interval(largest)).hi;
}

double travel_bound(const Path& path, const Bounds& real, const Sweep& s) {
  const Instant now = path.at(s.t0);
  const Interval dt(0, (Interval(s.t1) - Interval(s.t0)).hi);
  const IntervalVector n = motion::enclose(s.n), arm = motion::enclose(s.centre) - motion::enclose(path.reference());
  const IntervalVector u = enclose(now.r) * arm;
  const Interval size(length_above(n)), radius(s.radius), far = Interval(length_above(arm)) + radius;
  const Interval turning(length_above(cross(n, motion::enclose(now.w))));
  // The velocity along n at t0, for the centre and for any other point of the ball, and its distance from that of the
  // real motion.
  const Interval speed_now = dot(n, motion::enclose(now.v) + cross(motion::enclose(now.w), u)) +
                             turning * radius * Interval(1 + 0x1p-40) +
                             size * (Interval(real.velocity_error) + Interval(real.turn_velocity_error) * far);
  const Interval acceleration = size * (Interval(real.acceleration) + Interval(real.turn_acceleration) * far);
  // Taylor: n . (x(t) - x(t0)) <= (t - t0) speed_now + (t - t0)^2 / 2 acceleration. This is convex in t, so its maximum
  // is at an end; at t0 it is 0. The interval dt = [0, t1 - t0] covers every t.
  const double taylor = upper((speed_now + Interval(0.5) * acceleration * dt) * dt);
  const double fastest = upper(size * (Interval(real.speed) + Interval(real.turn_speed) * far) * dt);
  double best = std::min(taylor, fastest);
  if (real.twist) best = std::min(best, twist_bound(real, s, now, u, dt, far));
  return best;
}

double reach_bound(const Path& path, const Sweep& s) {
  const IntervalPlacement first = path.over(Interval(s.t0)), all = path.over(Interval(s.t0, s.t1));
  const IntervalVector c = motion::enclose(s.centre), n = motion::enclose(s.n);
  // (R c + t) - (R0 c + t0): subtract the entries first; the differences are exact where nothing rotates.
  IntervalMatrix turned;
  for (std::size_t i = 0; i < 9; ++i) turned[i] = all.r[i] - first.r[i];
  const IntervalVector moved = turned * c + (all.t - first.t);
  return upper(dot(n, moved) + Interval(2) * Interval(length_above(n)) * Interval(s.radius));
}

}  // namespace graze::motion
