// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "motion/angles.hpp"
#include "motion/scaled.hpp"
#include "motion/travel.hpp"
#include "motion/twist.hpp"

namespace graze {

namespace motion {

namespace {

using math::eps;

/// Rounding errors of one evaluation of Rz Ry Rx in double precision, as a distance between matrices: each of three
/// factors is off by 2 * 2^-50 in the Frobenius norm (four entries, each off by 2^-50), each of the nine entries loses
/// at most 4 eps in its products and its sum (12 eps in the norm), and placing a point with it about 8 eps more: below
/// 70 eps.
constexpr double evaluation = 0x1p-46;

/// Sines and cosines of the three angles; `Number` is double or Interval.
template <class Number>
struct Trigonometry {
  Number sr, cr, sp, cp, sy, cy;
};

/// Rz(yaw) Ry(pitch) Rx(roll), row by row.
template <class Number>
std::array<Number, 9> rotation(const Trigonometry<Number>& f) {
  const Number a = f.cy * f.sp, b = f.sy * f.sp;
  return {f.cy * f.cp,
          a * f.sr - f.sy * f.cr,
          a * f.cr + f.sy * f.sr,
          f.sy * f.cp,
          b * f.sr + f.cy * f.cr,
          b * f.cr - f.cy * f.sr,
          -f.sp,
          f.cp * f.sr,
          f.cp * f.cr};
}

/// w = yaw' ez + pitch' Rz ey + roll' Rz Ry ex.
template <class Number>
std::array<Number, 3> angular(const Trigonometry<Number>& f, const std::array<Number, 3>& rate) {
  const Number ahead = f.cp * rate[0];
  return {f.cy * ahead - f.sy * rate[1], f.sy * ahead + f.cy * rate[1], rate[2] - f.sp * rate[0]};
}

/// Translation, roll, pitch and yaw all linear in t. The reference point is the local origin.
class LinearPath : public Path {
 public:
  /// Roll, pitch and yaw at t = 0, and their total change from t = 0 to t = 1.
  struct Real {
    Vec3 from, to;
    IntervalVector angle, change;
    std::optional<Pose> start, end;
  };
  explicit LinearPath(const Real& real, std::string description = {});

  using Path::at;
  Instant at(double t, const Vec3& origin) const override;
  Placement placement(double t) const override;
  IntervalPlacement over(const Interval& t) const override;
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override;
  /// The local origin moves on a straight line, and three rotations about axes that stay are composed (`ChainPath`).
  double reference_derivative(int) const override { return 0; }
  double turn_rate() const override {
    return (std::fabs(change_.x) + std::fabs(change_.y) + std::fabs(change_.z)) * (1 + 0x1p-40);
  }
  std::optional<Pose> start() const override { return real_.start; }
  std::optional<Pose> end() const override { return real_.end; }
  Motion scaled(int exponent) const override;

 private:
  Trigonometry<double> trigonometry(double t) const;
  Trigonometry<Interval> trigonometry(const Interval& t) const;
  IntervalVector origin_at(double t) const;
  void set_bounds();

  Real real_;
  Vec3 angle_, change_, velocity_, angular_;
  bool turns_ = false;
  std::array<double, 9> r0_{};  ///< used if the body does not rotate
  Bounds real_bounds_;          ///< with velocity errors relative to the velocities of the real motion
};

LinearPath::LinearPath(const Real& real, std::string description)
    : real_(real), angle_(middle(real.angle)), change_(middle(real.change)), velocity_(real.to - real.from) {
  description_ = std::move(description);
  turns_ = real.change != IntervalVector{};
  const Trigonometry<double> f = trigonometry(0.0);
  r0_ = rotation(f);
  const std::array<double, 3> w = angular(f, {change_.x, change_.y, change_.z});
  angular_ = {w[0], w[1], w[2]};
  set_bounds();
}

Motion LinearPath::scaled(int exponent) const {
  Real real = real_;
  real.from = motion::scaled(real.from, exponent);
  real.to = motion::scaled(real.to, exponent);
  real.start = motion::scaled(real.start, exponent);
  real.end = motion::scaled(real.end, exponent);
  return Motion(std::make_shared<const LinearPath>(real, description_));
}

void LinearPath::set_bounds() {
  const IntervalVector &a = real_.angle, &d = real_.change;
  const Interval roll = abs(d[0]), pitch = abs(d[1]), yaw = abs(d[2]);
  const Trigonometry<Interval> f = trigonometry(Interval(0, 1));
  // |w|^2 = roll'^2 + pitch'^2 + yaw'^2 - 2 roll' yaw' sin(pitch), as ez . Rz Ry ex = -sin(pitch) and ey is
  // perpendicular to both.
  const Interval w2 = sqr(d[0]) + sqr(d[1]) + sqr(d[2]) - Interval(2) * d[0] * d[2] * f.sp;
  // The outer rotations carry the two inner axes along: w' = pitch' yaw' ez x ey' + roll' (yaw' ez + pitch' ey') x ex',
  // where ez and ey' are perpendicular to each other.
  const Interval w_change = pitch * yaw + roll * sqrt(sqr(pitch) + sqr(yaw));
  const double w = sqrt(Interval(0, std::max(0.0, w2.hi))).hi;
  const double v = length_above(enclose(real_.to) - enclose(real_.from));
  const int turning = (roll.hi > 0) + (pitch.hi > 0) + (yaw.hi > 0);

  real_bounds_.twist = turning <= 1;  // a single changing angle gives a rotation about a fixed axis
  real_bounds_.speed = v;
  real_bounds_.turn_speed = w;
  // x'' = w' x u + w x (w x u)
  real_bounds_.turn_acceleration = (w_change + Interval(w) * Interval(w)).hi;
  // An angle error of d rotates everything by d. The sum covers the width of the angles' enclosures and the rounding of
  // their evaluation at t.
  double angles = 0, rates = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    angles += radius(a[i]) + radius(d[i]) + 2 * eps * (a[i].magnitude() + 2 * d[i].magnitude());
    rates += radius(d[i]) + 0x1p-47 * d[i].magnitude();
  }
  const double sum = (roll + pitch + yaw).hi;
  real_bounds_.turn_error = (angles + evaluation) * (1 + 0x1p-40);
  real_bounds_.error = 8 * std::numeric_limits<double>::denorm_min();
  real_bounds_.velocity_error = 2 * eps * v + std::numeric_limits<double>::denorm_min();
  // w x (R x): w is off by the error of its rates and by the rotation of its axes, R by turn_error.
  real_bounds_.turn_velocity_error = (rates + 2 * sum * real_bounds_.turn_error) * (1 + 0x1p-40);
  bounds_ = real_bounds_;
  if (bounds_.twist) {
    // The computed path is the twist with the rounded velocities: until t = 1 their errors cause at most the same
    // errors in position and rotation.
    bounds_.turn_error += bounds_.turn_velocity_error;
    bounds_.error += bounds_.velocity_error;
    bounds_.velocity_error = bounds_.turn_velocity_error = 0;
  }
}

Trigonometry<double> LinearPath::trigonometry(double t) const {
  const SineCosine r = sine_cosine(angle_.x + t * change_.x), p = sine_cosine(angle_.y + t * change_.y),
                   y = sine_cosine(angle_.z + t * change_.z);
  return {r.sine, r.cosine, p.sine, p.cosine, y.sine, y.cosine};
}

Trigonometry<Interval> LinearPath::trigonometry(const Interval& t) const {
  const IntervalVector a = real_.angle + real_.change * t;
  return {sin(a[0]), cos(a[0]), sin(a[1]), cos(a[1]), sin(a[2]), cos(a[2])};
}

Instant LinearPath::at(double t, const Vec3& origin) const {
  const Vec3 o = (real_.from - origin) + velocity_ * t;
  if (!turns_) return {r0_, o, velocity_, {}};
  const Trigonometry<double> f = trigonometry(t);
  if (bounds_.twist) return {rotation(f), o, velocity_, angular_};
  const std::array<double, 3> w = angular(f, {change_.x, change_.y, change_.z});
  return {rotation(f), o, velocity_, {w[0], w[1], w[2]}};
}

Placement LinearPath::placement(double t) const {
  const Instant now = at(t);
  return {now.r, now.o};
}

IntervalVector LinearPath::origin_at(double t) const {
  // Exact at both ends, and nothing overflows.
  return enclose(real_.from) * (Interval(1) - Interval(t)) + enclose(real_.to) * Interval(t);
}

IntervalPlacement LinearPath::over(const Interval& t) const {
  IntervalPlacement p;
  // A straight line: all points between the ends of the span lie in the hull of the enclosures of the ends.
  const IntervalVector first = origin_at(t.lo), last = origin_at(t.hi);
  for (std::size_t i = 0; i < 3; ++i) p.t[i] = hull(first[i], last[i]);
  const Trigonometry<Interval> f = trigonometry(t);
  p.r = rotation(f);
  if (turns_ && t.lo < t.hi) {
    // Mean value theorem: R(t) = R(m) + (t - m) [w] R at some time in the span. Where rotations about two axes cancel,
    // as they do near gimbal lock, w accounts for it and the product of the single rotations does not.
    const Interval m(middle(t)), away = t - m;
    const IntervalMatrix centre = rotation(trigonometry(m));
    const IntervalVector w = angular(f, real_.change);
    for (std::size_t j = 0; j < 3; ++j) {
      const IntervalVector change = cross(w, IntervalVector{p.r[j], p.r[3 + j], p.r[6 + j]});
      for (std::size_t i = 0; i < 3; ++i)
        p.r[3 * i + j] = intersection(p.r[3 * i + j], centre[3 * i + j] + away * change[i]);
    }
  }
  for (Interval& x : p.r) x = intersection(x, Interval(-1, 1));
  return p;
}

double LinearPath::travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  const Sweep sweep{n, centre, radius, t0, t1};
  return std::min(travel_bound(*this, real_bounds_, sweep), reach_bound(*this, sweep));
}

[[noreturn]] void refuse(ErrorCode code, const char* message) { throw Error(core::problem(code, "motion", message)); }

void check(const RollPitchYaw& p) {
  if (!is_finite(p.translation)) refuse(ErrorCode::not_finite, "the translation is not finite; give three numbers");
  if (!is_finite({p.roll, p.pitch, p.yaw}))
    refuse(ErrorCode::not_finite, "roll, pitch and yaw are not finite; give them in radians");
  if (std::max({std::fabs(p.roll), std::fabs(p.pitch), std::fabs(p.yaw)}) >= 0x1p20)
    refuse(ErrorCode::bad_option, "roll, pitch and yaw must be below 2^20 radians; take whole turns off");
}

/// The pose, if it is exactly representable as one.
std::optional<Pose> exact_pose(const RollPitchYaw& p) {
  if (p.roll != 0 || p.pitch != 0 || p.yaw != 0) return std::nullopt;
  return Pose(p.translation);
}

}  // namespace

}  // namespace motion

namespace {

Vec3 angles(const RollPitchYaw& p) { return {p.roll, p.pitch, p.yaw}; }

}  // namespace

LinearParameters::LinearParameters(const RollPitchYaw& from, const RollPitchYaw& to) {
  motion::check(from);
  motion::check(to);
  const core::FpGuard guard;
  const motion::IntervalVector angle{from.roll, from.pitch, from.yaw}, last{to.roll, to.pitch, to.yaw};
  motion_ = Motion(std::make_shared<const motion::LinearPath>(
      motion::LinearPath::Real{.from = from.translation,
                               .to = to.translation,
                               .angle = angle,
                               .change = motion::operator-(last, angle),
                               .start = motion::exact_pose(from),
                               .end = motion::exact_pose(to)},
      motion::describe("linear", from.translation, angles(from), to.translation, angles(to))));
}

LinearParameters::LinearParameters(const Pose& from, const Pose& to) {
  const core::FpGuard guard;
  const motion::EulerAngles a = motion::euler_angles(from.rotation());
  motion::IntervalVector change{};
  // Decided exactly: different quaternions can represent the same rotation.
  if (motion::shorter_turn(from.rotation(), to.rotation()).angle != Interval(0)) {
    const motion::EulerAngles b = motion::euler_angles(to.rotation());
    change = {motion::shorter_angle(a.roll, b.roll), b.pitch - a.pitch, motion::shorter_angle(a.yaw, b.yaw)};
  }
  motion_ =
      Motion(std::make_shared<const motion::LinearPath>(motion::LinearPath::Real{.from = from.translation(),
                                                                                 .to = to.translation(),
                                                                                 .angle = {a.roll, a.pitch, a.yaw},
                                                                                 .change = change,
                                                                                 .start = from,
                                                                                 .end = to},
                                                        motion::describe("linear_poses", from, to)));
}

}  // namespace graze
