// SPDX-License-Identifier: MIT
#include "motion/twist.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dyadic.hpp"
#include "math/vectors.hpp"

namespace graze::motion {

namespace {

using math::eps;

using Quad = std::array<Interval, 4>;

/// The same direction with its largest component in [1/2, 1): no relevant square overflows or underflows.
Quad scaled(const Quat& q) {
  int exponent;
  std::frexp(std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)}), &exponent);
  const auto scale = [&](double c) {
    const double s = std::ldexp(c, -exponent);
    if (std::ldexp(s, exponent) == c) return Interval(s);
    return Interval(next_down(s), next_up(s));  // underflow
  };
  return {scale(q.w), scale(q.x), scale(q.y), scale(q.z)};
}

/// to * conjugate(from) in exact arithmetic: component 0 is the real part.
math::Dyadic exact_component(const Quat& from, const Quat& to, int i) {
  const math::Dyadic w0(from.w), x0(from.x), y0(from.y), z0(from.z), w1(to.w), x1(to.x), y1(to.y), z1(to.z);
  switch (i) {
    case 0: return w0 * w1 + x0 * x1 + y0 * y1 + z0 * z1;
    case 1: return w0 * x1 - w1 * x0 + y0 * z1 - z0 * y1;
    case 2: return w0 * y1 - w1 * y0 + z0 * x1 - x0 * z1;
    default: return w0 * z1 - w1 * z0 + x0 * y1 - y0 * x1;
  }
}

int sign_of(const Interval& x, const Quat& from, const Quat& to, int i) {
  if (x.lo > 0) return 1;
  if (x.hi < 0) return -1;
  return exact_component(from, to, i).sign();
}

/// An angle in [0, pi/2] from its enclosed sine and cosine: a rough value, three Newton steps (each cubes the error),
/// and an enclosure of the remaining error: sin(angle - found) = s cos(found) - c sin(found).
Interval angle_of(const Interval& s, const Interval& c) {
  const double ms = middle(s), mc = middle(c);
  const auto rough = [](double x) { return x / (1 + 0.28 * x * x); };
  double found = ms <= mc ? rough(ms / mc) : 0x1.921fb54442d18p+0 - rough(mc / ms);
  for (int i = 0; i < 3; ++i) {
    const SineCosine f = sine_cosine(found);
    found += ms * f.cosine - mc * f.sine;
  }
  const Interval rest = s * cos(Interval(found)) - c * sin(Interval(found));
  // |asin x| <= 1.01 |x| for |x| < 0.2; here it is about 1e-16.
  return Interval(found) + hull(rest, rest * Interval(1.01));
}

Interval unit(const Interval& x) { return intersection(x, Interval(-1, 1)); }

/// Axis and angle from a quaternion w + v with w >= 0, not both zero.
Turn turn_from(const Interval& w, const IntervalVector& v) {
  const Interval length = sqrt(squared_length(v)), all = sqrt(squared_length(v) + sqr(w));
  Turn turn;
  for (std::size_t i = 0; i < 3; ++i) turn.axis[i] = unit(v[i] / length);
  const Interval zero_to_one(0, 1);
  turn.angle = Interval(2) * angle_of(intersection(length / all, zero_to_one), intersection(w / all, zero_to_one));
  turn.angle.lo = std::max(turn.angle.lo, 0.0);
  return turn;
}

}  // namespace

Turn shorter_turn(const Quat& from, const Quat& to) {
  const Quad a = scaled(from), b = scaled(to);
  Interval w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  IntervalVector v{a[0] * b[1] - b[0] * a[1] + a[2] * b[3] - a[3] * b[2],
                   a[0] * b[2] - b[0] * a[2] + a[3] * b[1] - a[1] * b[3],
                   a[0] * b[3] - b[0] * a[3] + a[1] * b[2] - a[2] * b[1]};
  std::array<int, 3> signs{};
  for (int i = 0; i < 3; ++i)
    signs[static_cast<std::size_t>(i)] = sign_of(v[static_cast<std::size_t>(i)], from, to, i + 1);
  for (std::size_t i = 0; i < 3; ++i)
    if (signs[i] == 0) v[i] = 0;
  if (signs == std::array<int, 3>{}) return {};
  int sign = sign_of(w, from, to, 0);
  if (sign == 0) {  // a half turn
    w = 0;
    for (std::size_t i = 0; i < 3 && sign == 0; ++i) sign = signs[i];
  }
  if (sign < 0) {
    w = -w;
    for (Interval& x : v) x = -x;
  }
  w.lo = std::max(w.lo, 0.0);
  return turn_from(w, v);
}

Turn turn_of(const Vec3& vector) {
  const double largest = std::max({std::fabs(vector.x), std::fabs(vector.y), std::fabs(vector.z)});
  if (largest == 0) return {};
  int exponent;
  std::frexp(largest, &exponent);
  const Quad v = scaled({0, vector.x, vector.y, vector.z});
  const Interval length = sqrt(sqr(v[1]) + sqr(v[2]) + sqr(v[3]));
  Turn turn;
  for (std::size_t i = 0; i < 3; ++i) turn.axis[i] = unit(v[i + 1] / length);
  turn.angle = length * Interval(std::ldexp(1.0, exponent));
  return turn;
}

IntervalMatrix enclose_rotation(const Quat& q) {
  const auto [w, x, y, z] = scaled(q);
  const Interval n = sqr(w) + sqr(x) + sqr(y) + sqr(z), two(2);
  const auto off = [&](const Interval& p, const Interval& s) { return unit(two * (p + s) / n); };
  const auto on = [&](const Interval& a, const Interval& b, const Interval& c, const Interval& d) {
    return unit((sqr(a) + sqr(b) - sqr(c) - sqr(d)) / n);
  };
  return {on(w, x, y, z),       off(x * y, -(w * z)), off(x * z, w * y), off(x * y, w * z), on(w, y, x, z),
          off(y * z, -(w * x)), off(x * z, -(w * y)), off(y * z, w * x), on(w, z, x, y)};
}

Twist::Twist(const Real& real, std::optional<Pose> end, std::optional<Recipe> recipe)
    : real_(real), end_(std::move(end)), recipe_(std::move(recipe)), r0_real_(enclose_rotation(real.from.rotation())) {
  const IntervalVector& u = real.turn.axis;
  const Interval zero(0);
  const IntervalMatrix hat{zero, -u[2], u[1], u[2], zero, -u[0], -u[1], u[0], zero};
  sway_real_ = hat * r0_real_;
  // (I - u u^T) R0 = -hat^2 R0
  IntervalMatrix across;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      if (i == j) {
        const std::size_t k = (i + 1) % 3, l = (i + 2) % 3;
        across[4 * i] = intersection(sqr(u[k]) + sqr(u[l]), Interval(0, 1));
      } else {
        across[3 * i + j] = -(u[i] * u[j]);
      }
    }
  swing_real_ = across * r0_real_;
  for (std::size_t i = 0; i < 9; ++i) {
    r0_[i] = middle(r0_real_[i]);
    sway_[i] = middle(sway_real_[i]);
    swing_[i] = middle(swing_real_[i]);
  }
  angle_ = middle(real.turn.angle);
  const IntervalVector angular = u * real.turn.angle;
  angular_ = angle_ == 0 ? Vec3{} : middle(angular);
  offset_ = middle(real.offset);
  velocity_ = middle(real.velocity);
  reference_ = middle(real.reference);

  const double w = length(angular_) * (1 + 4 * eps), v = length(velocity_) * (1 + 4 * eps);
  bounds_.twist = true;
  bounds_.speed = v;
  bounds_.turn_speed = w;
  bounds_.turn_acceleration = w * w * (1 + 4 * eps);
  bounds_.error = radius(real.offset) + radius(real.velocity) + radius(real.reference) + 4 * eps * length(offset_);
  // The computed path against the real one: rotation vectors that differ by d give rotations that differ by at most d.
  // The evaluation is R0 + s sway - (1 - c) swing with s, c off by 2^-50 (and by the rounding of t angle) and entries
  // off by their radii; 2^-46 covers the rounding of the sums (each entry below 8 eps, 24 eps in the norm) and of s and
  // c.
  const double turning = std::min(1.0, angle_), swinging = std::min(2.0, 0.5 * angle_ * angle_);
  bounds_.turn_error = radius(r0_real_) + 4 * eps;
  if (angle_ != 0) {
    bounds_.turn_error += radius(angular) + 4 * eps * w + 2 * (radius(real.turn.angle) + 2 * eps * angle_) +
                          1.01 * turning * radius(sway_real_) + 1.01 * swinging * radius(swing_real_) + 0x1p-46;
  }
  // An error in the reference point also changes R (x - reference).
  bounds_.error *= 1 + 0x1p-40;
  bounds_.turn_error *= 1 + 0x1p-40;
}

std::array<double, 9> Twist::rotation(double t) const {
  if (angle_ == 0) return r0_;
  const SineCosine f = sine_cosine(angle_ * t);
  const double back = 1 - f.cosine;
  std::array<double, 9> r;
  for (std::size_t i = 0; i < 9; ++i) r[i] = r0_[i] + (f.sine * sway_[i] - back * swing_[i]);
  return r;
}

Instant Twist::at(double t, const Vec3& origin) const {
  return {rotation(t), (real_.from.translation() - origin) + (offset_ + velocity_ * t), velocity_, angular_};
}

Placement Twist::placement(double t) const {
  Placement p{rotation(t), {}};
  const Vec3 back = p.apply(reference_);
  p.t = real_.from.translation() + ((offset_ - back) + velocity_ * t);
  return p;
}

IntervalPlacement Twist::over(const Interval& t) const {
  IntervalPlacement p;
  const Interval angle = real_.turn.angle;
  if (angle == Interval(0)) {
    p.r = r0_real_;
  } else {
    const Interval turned = angle * t, s = sin(turned), c = cos(turned), back = Interval(1) - c;
    const double m = middle(t);
    const Interval at_m = angle * Interval(m), sm = sin(at_m), back_m = Interval(1) - cos(at_m);
    const Interval span = (t - Interval(m)) * angle;
    for (std::size_t i = 0; i < 9; ++i) {
      const Interval plain = r0_real_[i] + (s * sway_real_[i] - back * swing_real_[i]);
      // Mean value theorem: the width of this enclosure is linear in the span.
      const Interval mean = r0_real_[i] + (sm * sway_real_[i] - back_m * swing_real_[i]) +
                            span * (c * sway_real_[i] - s * swing_real_[i]);
      p.r[i] = intersection(intersection(plain, mean), Interval(-1, 1));
    }
  }
  const IntervalVector o = enclose(real_.from.translation()) + (real_.offset + real_.velocity * t);
  p.t = real_.reference == IntervalVector{} ? o : o - p.r * real_.reference;
  return p;
}

double Twist::travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  const double dt = next_up(t1 - t0), linear = dot(n, velocity_);
  const Placement place{rotation(t0), {}};
  const Vec3 local = centre - reference_, arm = place.apply(local);
  const double far = length(local) + radius, slack = 1 + 0x1p-40;
  double turning = std::max(0.0, linear * dt);
  const double w = bounds_.turn_speed;
  if (w > 0) {
    const Vec3 m = cross(n, angular_);
    const double lm = length(m), rho = length(cross(angular_, arm)) / w + radius;
    // (i): the constant speed |n x w| rho; (ii): the velocity at t0, and |n . x''| = |(n x w) . (w x r)| <= |n x w| |w|
    // rho, convex in time, so the maximum is at an end; (iii): n . (Rot r - r) <= |n'| rho - n' . r, n' perpendicular
    // to the axis.
    const double constant = (linear + lm * rho) * dt;
    const double acceleration = (linear + dot(m, arm) + lm * radius + 0.5 * lm * w * rho * dt) * dt;
    const Vec3 across = n - angular_ * (dot(n, angular_) / (w * w));
    double reach = std::max(0.0, linear * dt) + lm / w * (rho + radius) - dot(across, arm);
    if (w < 0x1p-400) reach = std::numeric_limits<double>::infinity();  // w * w is too small to divide by
    turning = std::max(0.0, std::min({constant, acceleration, reach}));
  }
  const double rounding = 0x1p-44 * (bounds_.speed * dt + far + w * far * dt);
  const double size = length(n) * slack;
  return turning * slack + size * (2 * (bounds_.error + bounds_.turn_error * far) + rounding);
}

}  // namespace graze::motion
