// SPDX-License-Identifier: MIT
#include "motion/screw_arc.hpp"

#include <algorithm>
#include <cmath>

namespace graze::motion {

namespace {

/// sin(x) / x for |x| <= 1/8: partial sums of the alternating series enclose the limit.
Interval sinc(const Interval& x) {
  const Interval z = sqr(x);
  const Interval lower = Interval(1) - z / Interval(6) + sqr(z) / Interval(120) - z * sqr(z) / Interval(5040);
  const Interval rest = sqr(sqr(z)) / Interval(362880);
  const Interval next = sqr(sqr(z)) * z / Interval(39916800);
  return {(lower + rest - next).lo, (lower + rest).hi};
}
double sinc(double x) {
  const double z = x * x;
  return 1 - z / 6 + z * z / 120 - z * z * z / 5040 + z * z * z * z / 362880;
}

}  // namespace

ScrewArc::ScrewArc(const Pose& from, const Pose& to, const Turn& turn, const Recipe& recipe)
    : from_(from),
      to_(to),
      recipe_(recipe),
      turning_({.from = Pose({0, 0, 0}, from.rotation()), .reference = {}, .offset = {}, .velocity = {}, .turn = turn},
               std::nullopt),
      turn_(turn),
      chord_(enclose(to.translation()) - enclose(from.translation())) {
  // d' has a large error where the axis is poorly known, but it is only used with a factor as small as the angle.
  const IntervalVector& u = turn.axis;
  across_ = chord_ - u * dot(u, chord_);
  beside_ = cross(u, across_);
  chord_mid_ = middle(chord_);
  across_mid_ = middle(across_);
  beside_mid_ = middle(beside_);
  along_mid_ = chord_mid_ - across_mid_;
  angle_ = middle(turn.angle);
  const double d = length(chord_mid_) * (1 + 0x1p-50), a = turn.angle.hi;
  // |p'| <= |d| (angle / 2) / sin(angle / 2) and |p''| = angle |p' across u|; for angle < 1/4 that factor is below
  // 1.0027.
  bounds_.twist = false;
  bounds_.speed = 1.003 * d;
  bounds_.turn_speed = turning_.bounds().turn_speed;
  bounds_.acceleration = 1.003 * d * a;
  bounds_.turn_acceleration = turning_.bounds().turn_acceleration;
  // Position error: radii of d, d' (times a^2) and u x d' (times a), the angle's own radius, the truncation of sinc
  // (angle / 2 <= 1/8: below 2^-50) and the rounding of the sum.
  const double spread = radius(chord_) + a * a * radius(across_) + a * radius(beside_) + d * radius(turn.angle);
  bounds_.error = (spread + 0x1p-47 * d) * (1 + 0x1p-40);
  bounds_.turn_error = turning_.bounds().turn_error;
  bounds_.velocity_error = 2 * bounds_.error;
  bounds_.turn_velocity_error = 2 * bounds_.turn_error * std::max(1.0, bounds_.turn_speed);
}

/// The body's origin is on a circle, plus a motion along its axis at constant speed: each derivative after the first
/// multiplies by the angle.
double ScrewArc::reference_derivative(int order) const {
  double bound = bounds_.speed * (1 + 0x1p-40);
  for (int k = 1; k < order; ++k) bound *= bounds_.turn_speed;
  return bound;
}

Instant ScrewArc::at(double t, const Vec3& origin) const {
  const Instant turned = turning_.at(t);
  const double half = 0.5 * angle_, k = t * (sinc(half * t) / sinc(half));
  const SineCosine b = sine_cosine(half * (1 - t)), f = sine_cosine(half * (2 * t - 1));
  const Vec3 p = chord_mid_ * t + (across_mid_ * (k * b.cosine - t) - beside_mid_ * (k * b.sine));
  const double fast = 1 / sinc(half);
  const Vec3 v = chord_mid_ + (across_mid_ * (fast * f.cosine - 1) + beside_mid_ * (fast * f.sine));
  return {turned.r, (from_.translation() - origin) + p, v, turned.w};
}

Placement ScrewArc::placement(double t) const {
  const Instant i = at(t, from_.translation());
  return {i.r, from_.translation() + i.o};
}

IntervalVector ScrewArc::arc(const Interval& t) const {
  const Interval half = turn_.angle * Interval(0.5), k = t * (sinc(half * t) / sinc(half));
  const Interval b = half * (Interval(1) - t);
  return chord_ * t + (across_ * (k * cos(b) - t) - beside_ * (k * sin(b)));
}

IntervalVector ScrewArc::arc_velocity(const Interval& t) const {
  const Interval half = turn_.angle * Interval(0.5), fast = Interval(1) / sinc(half);
  const Interval f = half * (Interval(2) * t - Interval(1));
  return chord_ + (across_ * (fast * cos(f) - Interval(1)) + beside_ * (fast * sin(f)));
}

IntervalPlacement ScrewArc::over(const Interval& t) const {
  IntervalPlacement p = turning_.over(t);
  const Interval m(middle(t));
  const IntervalVector mean = arc(m) + arc_velocity(t) * (t - m);
  p.t = enclose(from_.translation()) + intersection(arc(t), mean);
  return p;
}

double ScrewArc::travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  const double dt = next_up(t1 - t0);
  const IntervalVector v = arc_velocity({t0, t1});
  const double along = dot(enclose(n), v).hi;
  return std::max(0.0, along * dt) * (1 + 0x1p-50) + turning_.travel(n, centre, radius, t0, t1) +
         2 * length(n) * bounds_.error;
}

}  // namespace graze::motion
