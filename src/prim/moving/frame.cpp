// SPDX-License-Identifier: MIT
#include "prim/moving/frame.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::prim {
namespace {

using math::eps;

double size_of(const Vec3& v) { return std::sqrt(dot(v, v)) * (1 + 4 * eps); }

/// An upper bound of the operator norm.
double size_of(const Vec3 (&rows)[3]) {
  return std::sqrt(dot(rows[0], rows[0]) + dot(rows[1], rows[1]) + dot(rows[2], rows[2])) * (1 + 8 * eps);
}

/// `place` sums three products and t in each coordinate, for c and for l: in total below 32 eps of the summands.
void allow_for_place(MovingFrame& f) {
  f.turn_rest += 32 * eps * (size_of(f.m0) + size_of(f.m1));
  f.rest += 16 * eps * (size_of(f.t0) + size_of(f.t1)) + 0x1p-900;  // including underflow
}

/// The linear part in s of a rotation at angular velocity w during a time h to either side.
void turn_by(MovingFrame& f, const Vec3& w, double h) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 column = cross(w, Vec3{f.m0[0][k], f.m0[1][k], f.m0[2][k]}) * h;
    for (int i = 0; i < 3; ++i) f.m1[i][k] = column[i];
  }
}

/// The rotation is too large for a Taylor form. A twist preserves components along its axis. Of the perpendicular
/// components, and of other motions, only the length is known: a rotation has norm 1.
void keep_the_axis(MovingFrame& f, const Vec3& w, bool twist) {
  const double squared = dot(w, w);
  const Vec3 row = twist && squared > 0 ? Vec3{w.x * f.m0[0].x + w.y * f.m0[1].x + w.z * f.m0[2].x,
                                               w.x * f.m0[0].y + w.y * f.m0[1].y + w.z * f.m0[2].y,
                                               w.x * f.m0[0].z + w.y * f.m0[1].z + w.z * f.m0[2].z}
                                        : Vec3{};
  for (int i = 0; i < 3; ++i) {
    f.m0[i] = squared > 0 ? row * (w[i] / squared) : Vec3{};
    f.m1[i] = {};
  }
  f.turn_rest = 1 + 64 * eps;  // w w^T r / |w|^2 is rounded to within 64 eps
}

/// x(t) = x(m) + (t - m) x'(m) + at most (t - m)^2 max |x''| / 2. Points at any distance r from the reference point
/// satisfy |x''| <= acceleration + turn_acceleration r, so their differences, as r grows, imply |R''| <=
/// turn_acceleration; in the same way turn_error bounds the error of the rotation. The real path is within the error
/// bound of the computed one, and the computed path within it of `at`.
MovingFrame taylor(const motion::Path& path, double t0, double t1, const MovingUnits& units) {
  const double m = std::clamp(0.5 * t0 + 0.5 * t1, t0, t1), width = std::max(m - t0, t1 - m);
  const double h = width == 0 ? 0 : next_up(width);
  const motion::Instant now = path.at(m, units.origin);
  const motion::Bounds& b = path.bounds();
  MovingFrame f;
  for (int i = 0; i < 3; ++i) {
    const std::size_t k = 3 * static_cast<std::size_t>(i);
    f.m0[i] = {now.r[k], now.r[k + 1], now.r[k + 2]};
  }
  f.t0 = now.o * units.scale;
  f.t1 = now.v * (h * units.scale);
  const double acceleration = 0.5 * h * h * b.turn_acceleration * (1 + 16 * eps);
  if (acceleration <= 0.75) {
    turn_by(f, now.w, h);
    // w x r is computed from a rotation that is off by turn_error, and rounded.
    f.turn_rest = acceleration + h * (b.turn_velocity_error + b.turn_speed * (b.turn_error + 8 * eps));
  } else {
    keep_the_axis(f, now.w, b.twist);
  }
  f.turn_rest += 2 * b.turn_error;
  // `at` rounds o last: 4 eps (|o - origin| + |v|).
  const double rounding = 8 * eps * (size_of(now.o) + size_of(now.v));
  f.rest =
      (2 * b.error + 0.5 * h * h * b.acceleration + h * b.velocity_error + rounding) * units.scale * (1 + 16 * eps);
  return f;
}

double radius_of(const Interval& x, double middle) { return std::max(x.hi - middle, middle - x.lo) * (1 + 4 * eps); }

MovingFrame enclosure(const motion::Path& path, double t0, double t1, const MovingUnits& units) {
  const IntervalPlacement p = path.over(Interval(t0, t1));
  MovingFrame f;
  double turning = 0, shifting = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Interval& x = p.r[static_cast<std::size_t>(3 * i + j)];
      f.m0[i][j] = 0.5 * x.lo + 0.5 * x.hi;
      const double radius = radius_of(x, f.m0[i][j]) + 4 * eps;
      turning += radius * radius;
    }
    const Interval x = (p.t[static_cast<std::size_t>(i)] - Interval(units.origin[i])) * Interval(units.scale);
    f.t0[i] = 0.5 * x.lo + 0.5 * x.hi;
    const double radius = radius_of(x, f.t0[i]) + 4 * eps * std::fabs(f.t0[i]);
    shifting += radius * radius;
  }
  f.turn_rest = std::sqrt(turning) * (1 + 16 * eps);
  f.rest = std::sqrt(shifting) * (1 + 16 * eps);
  return f;
}

/// Rows of a^T b.
void transposed_product(const Vec3 (&a)[3], const Vec3 (&b)[3], Vec3 (&out)[3]) {
  for (int i = 0; i < 3; ++i) out[i] = b[0] * a[0][i] + b[1] * a[1][i] + b[2] * a[2][i];
}

Vec3 transposed_times(const Vec3 (&a)[3], const Vec3& x) { return a[0] * x.x + a[1] * x.y + a[2] * x.z; }

}  // namespace

MovingFrame over(const motion::Path& path, double t0, double t1, const MovingUnits& units) {
  MovingFrame f = path.kinematic() ? taylor(path, t0, t1, units) : enclosure(path, t0, t1, units);
  allow_for_place(f);
  return f;
}

MovingFrame relative(const MovingFrame& a, const MovingFrame& b) {
  MovingFrame f;
  // R_A^T R_B = (A0 + s A1 + ..)^T (B0 + s B1 + ..). The term in s^2 ranges from 0 to A1^T B1: half of it is added to
  // the midpoint, half to the remainder. Both real matrices are rotations, of norm 1, so the remainders add up without
  // growing: |R_A^T R_B - A^T B| <= |R_A^T (R_B - B)| + |(R_A - A)^T B|, and |B| <= 1 + its remainder.
  Vec3 product[3], square[3];
  transposed_product(a.m0, b.m0, product);
  transposed_product(a.m1, b.m1, square);
  Vec3 left[3], right[3];
  transposed_product(a.m0, b.m1, left);
  transposed_product(a.m1, b.m0, right);
  for (int i = 0; i < 3; ++i) {
    f.m0[i] = product[i] + 0.5 * square[i];
    f.m1[i] = left[i] + right[i];
  }
  const double norm_a = size_of(a.m0) + size_of(a.m1), norm_b = size_of(b.m0) + size_of(b.m1);
  f.turn_rest = b.turn_rest + a.turn_rest * (1 + b.turn_rest) + 0.5 * size_of(square) + 32 * eps * norm_a * norm_b;

  const Vec3 d0 = b.t0 - a.t0, d1 = b.t1 - a.t1, bent = transposed_times(a.m1, d1);
  f.t0 = transposed_times(a.m0, d0) + 0.5 * bent;
  f.t1 = transposed_times(a.m0, d1) + transposed_times(a.m1, d0);
  const double size = size_of(d0) + size_of(d1);
  f.rest = a.rest + b.rest + a.turn_rest * size + 0.5 * size_of(bent) + 32 * eps * (norm_a + 1) * size;
  f.rest *= 1 + 32 * eps;
  f.turn_rest *= 1 + 32 * eps;
  allow_for_place(f);
  return f;
}

}  // namespace graze::prim
