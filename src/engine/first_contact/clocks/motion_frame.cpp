// SPDX-License-Identifier: MIT
#include "engine/first_contact/clocks/motion_frame.hpp"

#include <cmath>
#include <cstdlib>

namespace graze::engine::first_contact {

namespace {

Vec3 turned_back(const std::array<double, 9>& r, const Vec3& x) {
  return {r[0] * x.x + r[3] * x.y + r[6] * x.z, r[1] * x.x + r[4] * x.y + r[7] * x.z,
          r[2] * x.x + r[5] * x.y + r[8] * x.z};
}
void store(const Vec3& v, float* out) {
  out[0] = static_cast<float>(v.x);
  out[1] = static_cast<float>(v.y);
  out[2] = static_cast<float>(v.z);
}
double sum(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// Squares of turns below this underflow in single precision, and with them the bounds of what the turn moves. Such a
/// turn is treated as an error of the velocity instead.
constexpr double least_turn = 0x1p-40;

/// `v` and `w` along A's axes, in A's units of length and time.
FloatMotion float_motion(const motion::Bounds& bounds, const Vec3& v, Vec3 w, double unit, double time_unit) {
  FloatMotion f;
  double turn = std::sqrt(dot(w, w));
  if (bounds.twist && turn < least_turn) {
    w = {};
    turn = 0;
  }
  store(v, f.v);
  store(w, f.w);
  f.turn = static_cast<float>(turn);
  store(turn > 0 ? w * (1 / turn) : Vec3{}, f.u);
  f.twist = bounds.twist;
  f.speed = static_cast<float>(bounds.speed * unit * time_unit);
  f.turn_speed = static_cast<float>(bounds.turn_speed * time_unit);
  f.acceleration = static_cast<float>(bounds.acceleration * unit * time_unit * time_unit);
  f.turn_acceleration = static_cast<float>(bounds.turn_acceleration * time_unit * time_unit);
  return f;
}

void store(const Vec3& v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

constexpr double u = 0x1p-24;

/// 1 where speeds in single precision can be squared; otherwise the power of two that reduces the pace to 2^30.
double time_unit_for(double pace) {
  if (!(pace > 0x1p30) || !std::isfinite(pace)) return 1;
  int exponent = 0;
  std::frexp(pace, &exponent);
  return std::ldexp(1.0, 30 - exponent);
}

/// The largest |x''| of a body's points at most `far` from the reference point.
double largest_acceleration(const motion::Bounds& b, double unit, double far) {
  return b.twist ? b.turn_speed * b.turn_speed * far : b.acceleration * unit + b.turn_acceleration * far;
}

/// See MotionFrame. Times must stay far below the value that the kernels use for "never".
constexpr double largest = 0x1p60, largest_product = 0x1p120, least_time_unit = 0x1p-60;

/// In A's units, rounded up.
float above(double x) { return static_cast<float>(x * (1 + 0x1p-22)) + 0x1p-120f; }

/// False: numbers are so large that products of them could leave the range of single precision, or one is NaN. What
/// follows from these limits is derived at `directed_sum` (motion_kernel-inl.hpp). `tilt` and `error` need none: they
/// only enlarge a sum of which the lesser of it and `turn` is taken.
bool in_float_range(const motion::DirectedBounds& b, double unit) {
  bool fits = b.speed * unit <= 0x1p38 && b.turn_speed <= 0x1p10 && b.acceleration * unit <= 0x1p56 &&
              b.turn_acceleration <= 0x1p20 && b.growth * unit <= 0x1p56 && b.turn_growth <= 0x1p20 &&
              b.slide_growth * unit <= 0x1p56 && b.rest_slide_growth * unit <= 0x1p56;
  for (std::size_t i = 0; i < b.count; ++i)
    fits = fits && b.axis[i].turn <= 0x1p10 && b.axis[i].distance * unit <= 0x1p24 &&
           b.axis[i].acceleration * unit <= 0x1p38 && b.axis[i].turn_acceleration <= 0x1p14 &&
           b.axis[i].slides * unit <= 0x1p38;
  return fits;
}

/// n x w in single precision, n of length one to 2^-20 and off by as little: below 16 u |w|; squares below 2^-126
/// underflow, of lengths below 2^-63. Sums over the axes have positive terms, so their relative error is a few u: the
/// factors of `above` and of the kernels cover it.
void set_axes(const motion::DirectedBounds& b, const motion::JointAxes& now, const std::array<double, 9>& to_a,
              double unit, double span, FloatAxes& f) {
  f.count = static_cast<int>(b.count);
  for (std::size_t i = 0; i < b.count; ++i) {
    const motion::DirectedBounds::Axis& axis = b.axis[i];
    FloatAxes::Axis& out = f.axis[i];
    store(turned_back(to_a, {now.w[i][0], now.w[i][1], now.w[i][2]}), out.w);
    out.error = above(axis.error + 16 * u * axis.turn + 0x1p-60);
    out.turn = above(axis.turn);
    out.tilt = above(axis.tilt * span);
    out.distance = above(axis.distance * unit);
    out.acceleration = above(axis.acceleration * unit);
    out.turn_acceleration = above(axis.turn_acceleration);
    out.slides = above(axis.slides * unit);
  }
  const Vec3 slide = turned_back(to_a, now.slide) * unit;
  store(slide, f.slide);
  f.speed = above(b.speed * unit + 16 * u * sum(slide));
  f.turn_speed = above(b.turn_speed);
  f.acceleration = above(b.acceleration * unit);
  f.turn_acceleration = above(b.turn_acceleration);
  f.growth = above(b.growth * unit);
  f.turn_growth = above(b.turn_growth);
  f.slide_growth = above(b.slide_growth * unit);
  f.rest_slide_growth = above(b.rest_slide_growth * unit);
}

}  // namespace

MotionFrame::MotionFrame(const body::WideTree& a, const body::WideTree& b, const Kinematics& k)
    : rho(static_cast<float>(std::ldexp(1.0, b.frame.exponent - a.frame.exponent))),
      directed_a_(k.a().directed()),
      directed_b_(k.b().directed()),
      bounds_a_(k.a().bounds()),
      bounds_b_(k.b().bounds()),
      unit_(std::ldexp(1.0, -a.frame.exponent)),
      size_(std::ldexp(1.0, b.frame.exponent - a.frame.exponent)),
      from_a_(k.a().reference() - a.frame.centre),
      from_b_(b.frame.centre - k.b().reference()) {
  store(from_a_ * unit_, ref_a);
  speeds = unit_ * (bounds_a_.speed + bounds_b_.speed);
  const double far_a = 2 + sum(from_a_) * unit_, far_b = 2 * size_ + sum(from_b_) * unit_;
  pace = speeds + bounds_a_.turn_speed * far_a + bounds_b_.turn_speed * far_b;
  time_unit = time_unit_for(pace);
  speeds *= time_unit;
  acceleration_ = (largest_acceleration(bounds_a_, unit_, far_a) + largest_acceleration(bounds_b_, unit_, far_b)) *
                  time_unit * time_unit;
  in_range_ = std::abs(b.frame.exponent - a.frame.exponent) <= 40 && std::abs(a.frame.exponent) < 900 &&
              time_unit >= least_time_unit;
}

/// Sets everything that depends on orientation but not on position.
void MotionFrame::orient(const Moment& m) {
  const auto &ra = m.a.r, &rb = m.b.r;
  double entry[9];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      entry[3 * i + j] = ra[i] * rb[j] + ra[3 + i] * rb[3 + j] + ra[6 + i] * rb[6 + j];
      r[3 * i + j] = static_cast<float>(entry[3 * i + j]);
      r_exact[3 * i + j] = size_ * entry[3 * i + j];
    }
  to_centre_ = {entry[0] * from_b_.x + entry[1] * from_b_.y + entry[2] * from_b_.z,
                entry[3] * from_b_.x + entry[4] * from_b_.y + entry[5] * from_b_.z,
                entry[6] * from_b_.x + entry[7] * from_b_.y + entry[8] * from_b_.z};
  const auto along_a = [&](const motion::Bounds& bounds, const motion::Instant& i) {
    return float_motion(bounds, turned_back(ra, i.v) * (unit_ * time_unit), turned_back(ra, i.w) * time_unit, unit_,
                        time_unit);
  };
  motion_a = along_a(bounds_a_, m.a);
  motion_b = along_a(bounds_b_, m.b);
  turning = motion_a.turns() || motion_b.turns();
  direct(m);
  // For two twists without rotation all directions are constant.
  oriented_ = bounds_a_.twist && bounds_b_.twist && bounds_a_.turn_speed == 0 && bounds_b_.turn_speed == 0;
}

void MotionFrame::direct(const Moment& m) {
  directed = false;
  const auto set = [&](const motion::DirectedBounds* b, const motion::JointAxes& axes, FloatAxes& f,
                       FloatMotion& body) {
    // Positions relative to A's centre are below 2^30 of its units; so are gaps, and below twice that with the targets.
    if (!b || !(pace <= 0x1p30) || !in_float_range(*b, unit_)) return;
    if (!(sum(m.b.o - m.a.o) * unit_ <= 0x1p29 && size_ <= 0x1p20)) return;
    set_axes(*b, axes, m.a.r, unit_, 1 - m.t, f);
    body.axes = &f;
    directed = true;
  };
  set(directed_a_, m.axes_a, axes_a_, motion_a);
  set(directed_b_, m.axes_b, axes_b_, motion_b);
}

void MotionFrame::set(const Moment& m, double keep) {
  if (!oriented_) orient(m);
  // Everything is relative to A's centre.
  const Vec3 from_b = turned_back(m.a.r, m.b.o - m.a.o) + from_a_, centre_b = from_b + to_centre_;
  store(centre_b * unit_, t_exact);
  store(from_b * unit_, ref_b);
  target = keep * unit_;
  const double shift = sum(centre_b) * unit_, far_a = 2 + sum(from_a_) * unit_,
               far_b = shift + sum(from_b) * unit_ + 2 * size_;
  speed_error = unit_ * (bounds_a_.velocity_error + bounds_b_.velocity_error) + bounds_a_.turn_velocity_error * far_a +
                bounds_b_.turn_velocity_error * far_b;
  if (!motion_a.turns()) speed_error += bounds_a_.turn_speed * far_a;
  if (!motion_b.turns()) speed_error += bounds_b_.turn_speed * far_b;
  speed_error *= time_unit;
  // NaN fails these comparisons.
  const double places = 2 * (far_a + far_b) + target, turns = static_cast<double>(motion_a.turn) + motion_b.turn;
  const double all_speeds = pace * time_unit + speed_error + 64 * u * turns * places;
  usable = in_range_ && places <= largest && all_speeds <= largest && turns <= largest &&
           acceleration_ * places <= largest_product;
}

PairFrame::PairFrame(const MotionFrame& f, const bvh::WideNode& a, const bvh::WideNode& b) {
  double away = 0, arm_a = 0, arm_b = 0, sizes = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = f.r_exact[3 * i] * b.origin[0] + f.r_exact[3 * i + 1] * b.origin[1] +
                     f.r_exact[3 * i + 2] * b.origin[2] + f.t_exact[i] - a.origin[i];
    const double to_a = f.ref_a[i] - a.origin[i], to_b = f.ref_b[i] - a.origin[i];
    o[i] = static_cast<float>(x);
    ref_a[i] = static_cast<float>(to_a);
    ref_b[i] = static_cast<float>(to_b);
    away += std::fabs(x);
    arm_a += std::fabs(to_a);
    arm_b += std::fabs(to_b);
    sizes += 255.0 * a.scale[i] + 255.0 * f.rho * b.scale[i];
  }
  const double fixed = 4 * u * (1 + static_cast<double>(f.rho)), near = sizes + away;
  // Turning: an arm is the difference of a position and a reference point.
  const double turning = f.motion_a.turn * (arm_a + near) + f.motion_b.turn * (arm_b + near);
  gap_error = static_cast<float>(1.001 * (fixed + 24 * u * near + f.target)) + 0x1p-120f;
  reach_error = static_cast<float>(1.001 * (fixed + 24 * u * (near + arm_a + arm_b) + f.target)) + 0x1p-120f;
  speed_error = static_cast<float>(1.001 * (24 * u * f.speeds + 32 * u * turning + f.speed_error));
}

}  // namespace graze::engine::first_contact
