// SPDX-License-Identifier: MIT
#include "motion/angles.hpp"

#include <algorithm>
#include <cmath>

#include "motion/interval_matrix.hpp"
#include "motion/path.hpp"

namespace graze::motion {

namespace {

/// Accurate to 0.01 for any point but the origin, and deterministic. No more is needed: see `arc_tangent`.
double rough_angle(double y, double x) {
  const double ax = std::fabs(x), ay = std::fabs(y);
  const double u = std::min(ax, ay) / std::max(ax, ay);
  double angle = u / (1 + 0.28 * u * u);
  if (ay > ax) angle = 0.5 * pi.lo - angle;
  if (x < 0) angle = pi.lo - angle;
  return y < 0 ? -angle : angle;
}

/// The quaternion times a power of two that brings its largest entry into [1/2, 1).
std::array<Interval, 4> scaled(const Quat& q) {
  int e;
  std::frexp(std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)}), &e);
  // In two steps, as 2^-e itself may not be representable as a double.
  const Interval half(std::ldexp(1.0, -(e / 2))), rest(std::ldexp(1.0, -(e - e / 2)));
  const auto scale = [&](double c) {
    const double s = std::ldexp(c, -e);
    return std::ldexp(s, e) == c ? Interval(s) : Interval(c) * half * rest;
  };
  return {scale(q.w), scale(q.x), scale(q.y), scale(q.z)};
}

}  // namespace

Interval arc_tangent(const Interval& y, const Interval& x) {
  const Interval all(-pi.hi, pi.hi);
  if (y == Interval(0) && x.lo > 0) return 0;
  const double my = middle(y), mx = middle(x);
  if (!(std::max(std::fabs(mx), std::fabs(my)) > 0)) return all;
  double found = rough_angle(my, mx);
  // Rotated back by `found`, the point is at the small angle whose tangent is (y cos - x sin) / (x cos + y sin). Each
  // step cubes the error: after three steps only rounding remains.
  for (int i = 0; i < 3; ++i) {
    const SineCosine f = sine_cosine(found);
    found += (my * f.cosine - mx * f.sine) / (mx * f.cosine + my * f.sine);
  }
  if (!(std::fabs(found) < 4)) return all;
  const Interval s = sin(Interval(found)), c = cos(Interval(found));
  const Interval ahead = x * c + y * s, tangent = (y * c - x * s) / ahead;
  if (!(ahead.lo > 0) || !(tangent.magnitude() < 0.5)) return all;
  // atan d lies between d and d (1 - d^2 / 3).
  const Interval shrink = Interval(1) - hull(Interval(0), sqr(tangent) / Interval(3));
  return Interval(found) + tangent * shrink;
}

// With half angles, s(in) and c(os) of roll r, pitch p, yaw y, the product of the three quaternions is
//   w = cr cp cy + sr sp sy   x = sr cp cy - cr sp sy   y = cr sp cy + sr cp sy   z = cr cp sy - sr sp cy
// so  w - y = (cp - sp) cos((roll + yaw) / 2)   x + z = (cp - sp) sin((roll + yaw) / 2)
//     w + y = (cp + sp) cos((roll - yaw) / 2)   x - z = (cp + sp) sin((roll - yaw) / 2)
// where cp - sp and cp + sp are not negative, and at most one is zero, exactly in gimbal lock. Sums of two doubles are
// enclosed to an ulp, so that both angles are well known however near to gimbal lock the rotation is. The lengths A and
// B of the two rows give tan(pitch / 2) = (B - A) / (B + A) = 4 (w y - x z) / (A + B)^2.
EulerAngles euler_angles(const Quat& q) {
  const auto [w, x, y, z] = scaled(q);
  const bool no_sum = q.w == q.y && q.x == -q.z, no_difference = q.w == -q.y && q.x == q.z;
  const Interval a = no_sum ? Interval(0) : sqrt(sqr(w - y) + sqr(x + z));
  const Interval b = no_difference ? Interval(0) : sqrt(sqr(w + y) + sqr(x - z));
  const Interval two(2), right_angle = pi / two;
  EulerAngles e;
  if (no_sum) {
    e.pitch = right_angle;
    e.yaw = -(two * arc_tangent(x - z, w + y));
  } else if (no_difference) {
    e.pitch = -right_angle;
    e.yaw = two * arc_tangent(x + z, w - y);
  } else {
    const Interval half_sum = arc_tangent(x + z, w - y), half_difference = arc_tangent(x - z, w + y);
    // Rotations about a single coordinate axis keep the other angles at exactly 0.
    const bool yaw_only = q.x == 0 && q.y == 0, roll_only = q.y == 0 && q.z == 0;
    e.roll = yaw_only ? Interval(0) : roll_only ? two * half_sum : half_sum + half_difference;
    e.yaw = roll_only ? Interval(0) : yaw_only ? two * half_sum : half_sum - half_difference;
    e.pitch = two * arc_tangent(Interval(4) * (w * y - x * z), sqr(a + b));
  }
  return e;
}

Interval shorter_angle(const Interval& from, const Interval& to) {
  const Interval displacement = to - from, turn = Interval(2) * pi;
  const Interval shorter = displacement - turn * Interval(std::nearbyint(middle(displacement) / turn.lo));
  return shorter.lo < 0x1p-40 - pi.lo ? shorter + turn : shorter;
}

}  // namespace graze::motion
