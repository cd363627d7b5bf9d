// SPDX-License-Identifier: MIT
#include "motion/joint_path.hpp"

#include <algorithm>
#include <limits>

#include "math/vectors.hpp"
#include "motion/scaled.hpp"
#include "motion/travel.hpp"

namespace graze::motion {

namespace {

using math::eps;

Interval unit(const Interval& x) { return intersection(x, Interval(-1, 1)); }

/// [u] and I - u u^T of a unit vector.
IntervalMatrix hat(const IntervalVector& u) {
  const Interval zero(0);
  return {zero, -u[2], u[1], u[2], zero, -u[0], -u[1], u[0], zero};
}
IntervalMatrix across(const IntervalVector& u) {
  IntervalMatrix m;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      m[3 * i + j] = i == j ? unit(sqr(u[(i + 1) % 3]) + sqr(u[(i + 2) % 3])) : -(u[i] * u[j]);
  return m;
}
IntervalMatrix outer(const IntervalVector& u) {
  IntervalMatrix m;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) m[3 * i + j] = i == j ? sqr(u[i]) : u[i] * u[j];
  return m;
}

/// Hence at most this far apart, entry by entry and so as matrices (Frobenius); of the first nine.
double rotation_radius(const std::array<Interval, 12>& m) {
  IntervalMatrix r;
  std::copy_n(m.begin(), 9, r.begin());
  return radius(r);
}

}  // namespace

IntervalPlacement composed(const IntervalPlacement& a, const IntervalPlacement& b) {
  IntervalPlacement p;
  p.r = a.r * b.r;
  for (Interval& x : p.r) x = unit(x);
  p.t = a.r * b.t + a.t;
  return p;
}

JointPath::JointPath(const Real& real)
    : real_(real), turns_(real.turn != Interval(0)), angle_(middle(real.angle)), turn_(middle(real.turn)) {
  description_ = real.description;
  set_terms();
  set_bounds();
}

void JointPath::set_terms() {
  const IntervalMatrix &before = real_.before.r, &after = real_.after.r;
  const auto fill = [&](Terms& terms, const IntervalMatrix& m) {
    const IntervalMatrix first = before * m, all = first * after;
    const IntervalVector place = first * real_.after.t;
    std::copy(all.begin(), all.end(), terms.begin());
    std::copy(place.begin(), place.end(), terms.begin() + 9);
  };
  fill(swing_, across(real_.axis));
  fill(sway_, hat(real_.axis));
  fill(rest_, outer(real_.axis));
  for (std::size_t i = 0; i < 3; ++i) rest_[9 + i] += real_.before.t[i];
  along_ = before * real_.axis;
  if (!turns_) {  // one constant matrix
    const Interval c = cos(real_.angle), s = sin(real_.angle);
    const bool straight = real_.angle == Interval(0);
    const IntervalPlacement all = composed(real_.before, real_.after);
    for (std::size_t i = 0; i < 12; ++i)
      rest_[i] = straight ? (i < 9 ? all.r[i] : all.t[i - 9]) : swing_[i] * c + sway_[i] * s + rest_[i];
    swing_.fill(0);
    sway_.fill(0);
  }
  for (std::size_t i = 0; i < 9; ++i) {
    swing_mid_[i] = middle(swing_[i]);
    sway_mid_[i] = middle(sway_[i]);
    rest_mid_[i] = middle(rest_[i]);
  }
}

void JointPath::set_bounds() {
  IntervalVector start = along_ * real_.slide;
  if (turns_) {
    reference_ = middle(transposed_times(real_.after.r, real_.after.t)) * -1.0;
    residue_ = real_.after.r * enclose(reference_) + real_.after.t;
    start = start + real_.before.t;
  } else {
    start = start + IntervalVector{rest_[9], rest_[10], rest_[11]};
  }
  const IntervalVector v = along_ * real_.shift, w = along_ * real_.turn;
  origin_ = middle(start);
  velocity_ = middle(v);
  angular_ = turns_ ? middle(w) : Vec3{};

  // Of g: its largest size, its errors, and bounds of its derivatives. It is t itself without a course.
  const Polynomial* const g = real_.course ? &*real_.course : nullptr;
  const double size = g ? g->range().magnitude() : 1, g_error = g ? g->value_error() : 0;
  const double fastest = g ? g->fastest() : 1, sharpest = g ? g->sharpest() : 0, slope_error = g ? g->slope_error() : 0;
  constexpr double tiny = 16 * std::numeric_limits<double>::denorm_min(), slack = 1 + 0x1p-40;
  const double off = length_above(residue_), turn = real_.turn.magnitude(), slides = length_above(v);
  const double turns = turns_ ? std::max(turn, length_above(w)) : 0;
  Bounds& b = real_bounds_;
  b.twist = !g;
  b.speed = (slides + turn * off) * fastest * slack;
  b.turn_speed = turns * fastest * slack;
  turn_bend_ = g ? turns * sharpest * slack : 0;
  slide_bend_ = g ? slides * sharpest * slack : 0;
  b.turn_acceleration = (b.turn_speed * b.turn_speed + turn_bend_) * slack;
  b.acceleration = (b.turn_acceleration * off + slide_bend_) * slack;
  // The enclosures, the residue, which turns where the computed reference point does not, and the rounding of
  // `origin_ + g velocity_` and of R reference in `placement`. (Where g is t, who asks counts the rounding of g v.)
  b.error = (radius(start) + radius(v) * size + 2 * off + 8 * eps * (length(origin_) + length(reference_)) + tiny +
             (g ? slides * (g_error + 8 * eps * size) : 0)) *
            slack;
  b.turn_error = rotation_radius(rest_) + 8 * eps;
  if (turns_) {
    // Sine and cosine are off by 2^-50 each, each entry loses below 12 eps in its sums, 36 eps in the norm, and placing
    // a point 8 eps: below 64 eps. An angle that is off turns everything by as much. Then the computed path itself:
    // rotation vectors that are apart by d turn to places apart by d.
    const double angles = radius(real_.angle) + radius(real_.turn) * size + turn * g_error +
                          2 * eps * (std::fabs(angle_) + 2 * turn * size);
    b.turn_error += rotation_radius(swing_) + rotation_radius(sway_) + 2 * angles + radius(w) * size + 64 * eps;
  }
  b.turn_error *= slack;
  // Velocities of a course are rounded products.
  const double products = g ? slope_error + 4 * eps * fastest : 0;
  b.velocity_error = (radius(v) * fastest + turn * off * fastest + (g ? slides * products : 0)) * slack;
  b.turn_velocity_error = turns_ ? (radius(w) * fastest + b.turn_speed * b.turn_error + turns * products) * slack : 0;
  bounds_ = b;
  if (g) return;  // velocities of the computed path are not constant, nor exactly known
  // Of the computed path, whose reference point goes straight.
  bounds_.acceleration = bounds_.velocity_error = bounds_.turn_velocity_error = 0;
}

JointPath JointPath::enlarged(int exponent) const {
  Real real = real_;
  real.anchor = motion::scaled(real.anchor, exponent);
  real.before = motion::scaled(real.before, exponent);
  real.after = motion::scaled(real.after, exponent);
  real.slide = motion::scaled(real.slide, exponent);
  real.shift = motion::scaled(real.shift, exponent);
  real.start = motion::scaled(real.start, exponent);
  real.end = motion::scaled(real.end, exponent);
  return JointPath(real);
}

Motion JointPath::scaled(int exponent) const { return Motion(std::make_shared<const JointPath>(enlarged(exponent))); }

std::array<double, 9> JointPath::rotation(double g) const {
  if (!turns_) return rest_mid_;
  const SineCosine f = sine_cosine(angle_ + g * turn_);
  std::array<double, 9> r;
  for (std::size_t i = 0; i < 9; ++i) r[i] = f.cosine * swing_mid_[i] + f.sine * sway_mid_[i] + rest_mid_[i];
  return r;
}

Instant JointPath::at(double t, const Vec3& origin) const {
  if (!real_.course) return {rotation(t), (real_.anchor - origin) + (origin_ + velocity_ * t), velocity_, angular_};
  const double g = real_.course->value(t), slope = real_.course->slope(t);
  return {rotation(g), (real_.anchor - origin) + (origin_ + velocity_ * g), velocity_ * slope, angular_ * slope};
}

std::array<Vec3, 2> JointPath::reference_line() const {
  const Interval g = real_.course ? real_.course->range() : Interval(0, 1);
  return {real_.anchor + (origin_ + velocity_ * g.lo), real_.anchor + (origin_ + velocity_ * g.hi)};
}

Placement JointPath::placement(double t) const {
  const double g = course(t);
  Placement p{rotation(g), {}};
  p.t = real_.anchor + ((origin_ - p.apply(reference_)) + velocity_ * g);
  return p;
}

IntervalPlacement JointPath::over(const Interval& t) const {
  Terms place = rest_;
  const Interval g = real_.course ? real_.course->over(t) : t;
  if (turns_) {
    const Interval angle = real_.angle + real_.turn * g, c = cos(angle), s = sin(angle);
    const Interval m(middle(g)), at_m = real_.angle + real_.turn * m, cm = cos(at_m), sm = sin(at_m);
    const Interval away = (g - m) * real_.turn;
    for (std::size_t i = 0; i < 12; ++i) {
      const Interval plain = swing_[i] * c + sway_[i] * s + rest_[i];
      // Mean value theorem: the width shrinks with the span as fast as it can.
      const Interval mean = swing_[i] * cm + sway_[i] * sm + rest_[i] + away * (sway_[i] * c - swing_[i] * s);
      place[i] = intersection(plain, mean);
    }
  }
  IntervalPlacement p;
  for (std::size_t i = 0; i < 9; ++i) p.r[i] = unit(place[i]);
  const Interval slide = real_.slide + real_.shift * g;
  for (std::size_t i = 0; i < 3; ++i)
    p.t[i] = Interval(real_.anchor[static_cast<int>(i)]) + (place[9 + i] + along_[i] * slide);
  return p;
}

double JointPath::travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  return travel_bound(*this, real_bounds_, {n, centre, radius, t0, t1});
}

}  // namespace graze::motion
