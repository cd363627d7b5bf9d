// SPDX-License-Identifier: MIT
#include "query/first_contact/motion_frame.hpp"

#include <cmath>

#include "math/vectors.hpp"

namespace graze::query {

namespace {

using math::turned;

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

MotionFrame::MotionFrame(const WideTree& a, const WideTree& b)
    : a_(a),
      b_(b),
      unit_(std::ldexp(1.0, -a.frame.exponent)),
      size_(std::ldexp(1.0, b.frame.exponent - a.frame.exponent)) {}

void MotionFrame::set(const Kinematics& k, const Moment& m, double keep) {
  const int ratio = b_.frame.exponent - a_.frame.exponent;
  const double unit = unit_, size = size_;
  const auto &ra = m.a.r, &rb = m.b.r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double entry = ra[i] * rb[j] + ra[3 + i] * rb[3 + j] + ra[6 + i] * rb[6 + j];
      r[3 * i + j] = static_cast<float>(entry);
      r_exact[3 * i + j] = size * entry;
    }
  rho = static_cast<float>(size);
  // Everything from A's centre.
  const Vec3 from_a = k.a().reference() - a_.frame.centre, between = m.b.o - m.a.o;
  const Vec3 from_b = turned_back(ra, between) + from_a;
  const Vec3 centre_b = turned_back(ra, between + turned(rb, b_.frame.centre - k.b().reference())) + from_a;
  store(centre_b * unit, t_exact);
  store(from_a * unit, ref_a);
  store(from_b * unit, ref_b);
  const auto &bounds_a = k.a().bounds(), &bounds_b = k.b().bounds();
  motion_a = float_motion(bounds_a, turned_back(ra, m.a.v) * unit, turned_back(ra, m.a.w), unit);
  motion_b = float_motion(bounds_b, turned_back(ra, m.b.v) * unit, turned_back(ra, m.b.w), unit);
  turning = motion_a.turns() || motion_b.turns();
  target = keep * unit;
  speeds = unit * (bounds_a.speed + bounds_b.speed);
  const double shift = sum(centre_b) * unit, far_a = 2 + sum(from_a) * unit,
               far_b = shift + sum(from_b) * unit + 2 * size;
  speed_error = unit * (bounds_a.velocity_error + bounds_b.velocity_error) + bounds_a.turn_velocity_error * far_a +
                bounds_b.turn_velocity_error * far_b;
  if (!motion_a.turns()) speed_error += bounds_a.turn_speed * far_a;
  if (!motion_b.turns()) speed_error += bounds_b.turn_speed * far_b;
  usable = std::abs(ratio) <= 40 && shift <= 0x1p60 && target <= 0x1p60 && speeds <= 0x1p60 &&
           motion_a.turn <= 0x1p30f && motion_b.turn <= 0x1p30f && std::abs(a_.frame.exponent) < 900;
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
