// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include <graze/math/vec3.hpp>

namespace graze::math {

/// Exact signs (-1, 0, +1) for all finite doubles: first a filter with its error bound, then expansions where nothing
/// can overflow or underflow, then big integers.

/// Is c left of (+1), on (0) or right of (-1) the directed line from a to b?
int orient2d(double ax, double ay, double bx, double by, double cx, double cy);

/// The sign of the determinant |b - a, c - a, d - a|: +1 if d lies on the side that the counter-clockwise normal
/// (b - a) x (c - a) points to.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The same sign by expansions alone; requires all coordinates `in_expansion_range`.
int orient3d_expansion(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// A value in double precision and a bound on its error.
struct Estimate {
  double value, bound;
};

/// The determinant of orient3d in double precision. Each given coordinate may be off by up to `error` from the exact
/// one.
///
/// Bound: with S = |.|_1 of the three difference vectors u, v, w and delta >= the error of each difference's coordinate
/// (2 `error`; the rounding of the difference itself is in the relative part), the permanent of |u|, |v|, |w| grows by
/// at most delta (Su Sv + Su Sw + Sv Sw) + 2 delta^2 (Su + Sv + Sw) + 6 delta^3. Rounding adds (7 + 56 eps) eps times
/// the permanent (Shewchuk's bound A), which Su Sv Sw bounds from above. Products that underflow lose less than 2^-1072
/// (1 + S) in total. Overflow makes the bound infinite or NaN, and then neither comparison holds.
inline Estimate orient3d_estimate(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double error) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double det = dot(cross(u, v), w);
  const double px = (std::fabs(u.y * v.z) + std::fabs(u.z * v.y)) * std::fabs(w.x);
  const double py = (std::fabs(u.z * v.x) + std::fabs(u.x * v.z)) * std::fabs(w.y);
  const double pz = (std::fabs(u.x * v.y) + std::fabs(u.y * v.x)) * std::fabs(w.z);
  const double su = std::fabs(u.x) + std::fabs(u.y) + std::fabs(u.z);
  const double sv = std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
  const double sw = std::fabs(w.x) + std::fabs(w.y) + std::fabs(w.z);
  double bound = 0x1p-50 * (px + py + pz) + std::numeric_limits<double>::min() * (1 + su + sv + sw);
  if (!(error == 0)) {
    const double delta = 2.001 * error;
    bound += 1.001 * delta * (su * sv + su * sw + sv * sw + delta * (2 * (su + sv + sw) + 6 * delta));
  }
  return {det, bound};
}

/// The sign of orient3d if double precision can prove it, else 0; `error` as above.
inline int orient3d_filter(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double error) {
  const Estimate det = orient3d_estimate(a, b, c, d, error);
  if (det.value > det.bound) return 1;
  if (det.value < -det.bound) return -1;
  return 0;
}

/// The sign of orient3d if double precision can prove it, else 0, where a, b, c are exact and each coordinate of d may
/// be off by up to `error`.
///
/// Bound: as in `orient3d_estimate`, except that only w = d - a is off, so the determinant changes by at most `error`
/// times the 1-norm of u x v, which the sum of its products' sizes bounds (1.001: their roundings). The rounding of the
/// determinant of the rounded d is 2^-50 of the permanent.
inline int plane_side_filter(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double error) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double det = dot(cross(u, v), w);
  const double nx = std::fabs(u.y * v.z) + std::fabs(u.z * v.y), ny = std::fabs(u.z * v.x) + std::fabs(u.x * v.z),
               nz = std::fabs(u.x * v.y) + std::fabs(u.y * v.x);
  const double sizes = std::fabs(u.x) + std::fabs(u.y) + std::fabs(u.z) + std::fabs(v.x) + std::fabs(v.y) +
                       std::fabs(v.z) + std::fabs(w.x) + std::fabs(w.y) + std::fabs(w.z);
  const double bound = 0x1p-50 * (nx * std::fabs(w.x) + ny * std::fabs(w.y) + nz * std::fabs(w.z)) +
                       1.001 * error * (nx + ny + nz) + std::numeric_limits<double>::min() * (1 + sizes + error);
  if (det > bound) return 1;
  if (det < -bound) return -1;
  return 0;
}

}  // namespace graze::math
