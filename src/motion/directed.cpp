// SPDX-License-Identifier: MIT
#include "motion/directed.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/vectors.hpp"
#include "motion/joint_path.hpp"

namespace graze::motion {

namespace {

using math::eps;
using math::norm;

constexpr double rounded_up = 1 + 0x1p-40;  // for the few sums and products of a bound

Vec3 turned_back(const std::array<double, 9>& r, const Vec3& x) {
  return {r[0] * x.x + r[3] * x.y + r[6] * x.z, r[1] * x.x + r[4] * x.y + r[7] * x.z,
          r[2] * x.x + r[5] * x.y + r[8] * x.z};
}

/// The line of the last rotating axis, in the frame of the link that it carries. It is constant there: rotation about
/// an axis leaves the axis in place, and sliding joints rotate nothing.
class CarriedAxis {
 public:
  explicit CarriedAxis(const Path* base) {
    if (!base || base->bounds().turn_speed == 0) return;
    const Instant start = base->at(0);
    const double size = norm(start.w);
    // If a rotation is so slow that its axis is inaccurate, any axis is assumed possible.
    if (base->bounds().twist && size > 0x1p-400)
      set(turned_back(start.r, start.w * (1 / size)), base->bounds().turn_error);
    else
      sine_ = 1;
  }
  /// An upper bound of the sine of the angle between it and the axis of the next joint.
  double sine_to(const JointPath& joint) const {
    if (!known_) return sine_;
    return std::min(1.0, (norm(cross(axis_, joint.axis())) + error_ + 2 * joint.axis_error() + 32 * eps) * rounded_up);
  }
  void pass(const JointPath& joint) {
    const std::array<double, 9> r = joint.at(0).r;
    const double error = joint.bounds().turn_error + 32 * eps;
    if (joint.bounds().turn_speed > 0)
      set(turned_back(r, joint.axis()), error + 2 * joint.axis_error());
    else if (known_)
      set(turned_back(r, axis_), error_ + error);
  }

 private:
  void set(const Vec3& axis, double error) {
    axis_ = axis;
    error_ = error;
    known_ = true;
  }
  Vec3 axis_;
  double error_ = 0;
  bool known_ = false;
  double sine_ = 0;  ///< while it is not known; 0 as long as nothing rotates
};

/// For each share, the sine of the angle between its axis and the last rotating axis before it.
std::vector<double> sines(const Path* base, std::span<const JointPath> joints) {
  std::vector<double> result;
  if (base) result.push_back(0);
  CarriedAxis carried(base);
  for (const JointPath& joint : joints) {
    result.push_back(carried.sine_to(joint));
    carried.pass(joint);
  }
  return result;
}

/// An upper bound of how fast the motions before share i tilt its axis: each by its own angular speed times the sine of
/// the angle between the two axes, which is at most the sum of the sines in between (for lines, sin(a + b) <= sin a +
/// sin b).
double tilt_rate(std::span<const Share> shares, std::span<const double> sines, std::size_t i) {
  double rate = 0, sine = sines[i];
  for (std::size_t j = i; j-- > 0;) {
    if (shares[j].turn == 0) continue;
    rate += shares[j].turn * std::min(1.0, sine);
    sine += sines[j];
  }
  return rate * rounded_up;
}

/// Twice the speeds of everything after share i, which its rotation carries along (the mixed terms of x'').
struct Behind {
  double acceleration = 0, turn_acceleration = 0;
  double slides = 0;
};
Behind behind(std::span<const Share> shares, std::size_t i) {
  Behind b;
  for (std::size_t j = i + 1; j < shares.size(); ++j) {
    b.acceleration += 2 * (shares[j].speed + shares[j].turn * shares[j].distance);
    b.turn_acceleration += 2 * shares[j].turn;
    b.slides += shares[j].speed;
  }
  return b;
}

/// A share with a fixed axis in its own frame. `rate`: how fast that frame tilts it.
void add_axis(const Share& s, const Behind& after, double error, double rate, DirectedBounds& b) {
  b.axis[b.count++] = {
      s.turn * rounded_up,
      (error + (s.frame_error + 32 * eps) * s.turn) * rounded_up + 0x1p-500,  // products that underflow
      (s.turn * rate + s.turn_bend) * rounded_up,
      s.distance * rounded_up,
      (s.turn * s.distance + after.acceleration) * rounded_up,
      (s.turn + after.turn_acceleration) * rounded_up,
      after.slides * rounded_up};
  const double tilt = s.turn * rate + s.turn_bend;
  b.growth += tilt * s.distance;
  b.turn_growth += tilt;
  b.acceleration += s.turn_bend * s.distance;
  b.turn_acceleration += s.turn_bend;
}

void add_without_axis(const Share& s, const Behind& after, DirectedBounds& b) {
  b.speed += s.turn * s.distance;
  b.turn_speed += s.turn;
  b.acceleration += s.turn_acceleration * s.distance + s.turn * after.acceleration;
  b.turn_acceleration += s.turn_acceleration + s.turn * after.turn_acceleration;
  b.rest_slide_growth += s.turn * after.slides;
}

}  // namespace

DirectedBounds directed_bounds(const Path* base, std::span<const JointPath> joints, std::span<const Share> shares) {
  DirectedBounds b;
  const std::vector<double> between = sines(base, joints);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Share& s = shares[i];
    const bool of_base = base && i == 0, has_axis = !of_base || base->bounds().twist;
    const double rate = tilt_rate(shares, between, i);
    // A base's velocities are those of its computed path; a joint's are enclosed.
    if (has_axis && b.count < b.axis.size())
      add_axis(s, behind(shares, i), of_base ? 0 : s.turn_velocity_error, rate, b);
    else
      add_without_axis(s, behind(shares, i), b);
    b.acceleration += s.acceleration;  // for a joint: the small distance of its axis from the reference point
    if (has_axis) {                    // its sliding is part of `JointAxes::slide`
      b.speed += (of_base ? 0 : s.velocity_error) + (s.frame_error + 32 * eps) * s.speed;
      b.slide_growth += s.speed * rate;
      b.growth += s.slide_bend;
    } else {
      b.speed += s.speed;
    }
  }
  for (double* x : {&b.speed, &b.turn_speed, &b.acceleration, &b.turn_acceleration, &b.growth, &b.turn_growth,
                    &b.slide_growth, &b.rest_slide_growth})
    *x *= rounded_up;
  return b;
}

DirectedRise directed_rise(const DirectedBounds& b, const JointAxes& axes, const Vec3& n, double span) {
  DirectedRise r{b.speed, b.turn_speed, b.growth, b.turn_growth, b.acceleration, b.turn_acceleration};
  double slid = b.rest_slide_growth;
  for (std::size_t i = 0; i < b.count; ++i) {
    const DirectedBounds::Axis& axis = b.axis[i];
    // Never more than |w_i|, also for NaN.
    const double across = norm(cross(n, {axes.w[i][0], axes.w[i][1], axes.w[i][2]}));
    const double now = std::min(axis.turn, across + axis.error);
    r.speed += now * axis.distance;
    r.turn_speed += now;
    const double later = std::min(axis.turn, now + axis.tilt * span);
    r.acceleration += later * axis.acceleration;
    r.turn_acceleration += later * axis.turn_acceleration;
    slid += later * axis.slides;
  }
  r.growth += std::min(b.slide_growth, slid);
  return r;
}

}  // namespace graze::motion
