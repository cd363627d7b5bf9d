// SPDX-License-Identifier: MIT
#include "query/first_contact/motion_frame.hpp"

#include <cmath>
#include <cstdlib>

namespace graze::query {

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

/// Squares of turns below this get lost in single precision, and with them what the turn brings near: such a turn is
/// taken for an error of the velocity instead.
constexpr double least_turn = 0x1p-40;

/// `v` and `w` along A's axes, in A's units.
FloatMotion float_motion(const motion::Bounds& bounds, const Vec3& v, Vec3 w, double unit) {
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
  f.speed = static_cast<float>(bounds.speed * unit);
  f.turn_speed = static_cast<float>(bounds.turn_speed);
  f.bend = static_cast<float>(bounds.bend * unit);
  f.turn_bend = static_cast<float>(bounds.turn_bend);
  return f;
}

void store(const Vec3& v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

constexpr double u = 0x1p-24;

}  // namespace

MotionFrame::MotionFrame(const WideTree& a, const WideTree& b, const Kinematics& k)
    : rho(static_cast<float>(std::ldexp(1.0, b.frame.exponent - a.frame.exponent))),
      bounds_a_(k.a().bounds()),
      bounds_b_(k.b().bounds()),
      unit_(std::ldexp(1.0, -a.frame.exponent)),
      size_(std::ldexp(1.0, b.frame.exponent - a.frame.exponent)),
      from_a_(k.a().reference() - a.frame.centre),
      from_b_(b.frame.centre - k.b().reference()) {
  store(from_a_ * unit_, ref_a);
  speeds = unit_ * (bounds_a_.speed + bounds_b_.speed);
  pace = speeds + bounds_a_.turn_speed * (2 + sum(from_a_) * unit_) +
         bounds_b_.turn_speed * (2 * size_ + sum(from_b_) * unit_);
  in_range_ =
      std::abs(b.frame.exponent - a.frame.exponent) <= 40 && speeds <= 0x1p60 && std::abs(a.frame.exponent) < 900;
}

/// Everything that has a direction but no place.
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
  motion_a = float_motion(bounds_a_, turned_back(ra, m.a.v) * unit_, turned_back(ra, m.a.w), unit_);
  motion_b = float_motion(bounds_b_, turned_back(ra, m.b.v) * unit_, turned_back(ra, m.b.w), unit_);
  turning = motion_a.turns() || motion_b.turns();
  // Two twists that do not turn keep all their directions.
  oriented_ = bounds_a_.twist && bounds_b_.twist && bounds_a_.turn_speed == 0 && bounds_b_.turn_speed == 0;
}

void MotionFrame::set(const Moment& m, double keep) {
  if (!oriented_) orient(m);
  // Everything from A's centre.
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
  usable = in_range_ && shift <= 0x1p60 && target <= 0x1p60 && motion_a.turn <= 0x1p30f && motion_b.turn <= 0x1p30f;
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
  // Turning: an arm is a difference of a place and a reference point.
  const double turning = f.motion_a.turn * (arm_a + near) + f.motion_b.turn * (arm_b + near);
  gap_error = static_cast<float>(1.001 * (fixed + 24 * u * near + f.target)) + 0x1p-120f;
  reach_error = static_cast<float>(1.001 * (fixed + 24 * u * (near + arm_a + arm_b) + f.target)) + 0x1p-120f;
  speed_error = static_cast<float>(1.001 * (24 * u * (f.speeds + turning) + f.speed_error));
}

}  // namespace graze::query
