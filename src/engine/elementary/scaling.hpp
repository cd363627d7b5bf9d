// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <graze/math/vec3.hpp>

namespace graze::engine::elementary {

/// Whether features touch depends only on the differences of their points at the same instant. Queries whose
/// differences are too small or too large for sixth powers are answered at another scale, as follows.

/// Half the largest coordinate difference from the first point, at one instant. Halved, because a difference of two
/// doubles may overflow.
inline double half_extent(const std::array<Vec3, 4>& p) {
  double half = 0;
  for (const Vec3& x : p)
    for (int axis = 0; axis < 3; ++axis) half = std::max(half, std::fabs(0.5 * x[axis] - 0.5 * p[0][axis]));
  return half;
}

/// The power of two that brings twice this to 1/4 or more, as far as it is a double, and below 1/2.
inline double scale_for(double half_extent) {
  if (!(half_extent > 0)) return 1;
  int exponent;
  std::frexp(half_extent, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent - 2, -1022, 1023));
}

/// The points of one instant at that scale. Along an axis in which they are nearer to each other than to 0, relative to
/// the first point: by Sterbenz's lemma nothing is rounded (p is between p0 / 2 and 2 p0). Along the others a
/// coordinate is at most three times the largest difference, so that none overflows. What is lost are digits below
/// 2^-1074, less than 2^-1070 of the largest difference.
inline std::array<Vec3, 4> scaled_instant(const std::array<Vec3, 4>& p, double scale) {
  std::array<Vec3, 4> q = p;
  for (int axis = 0; axis < 3; ++axis) {
    const double first = p[0][axis];
    const bool near = std::all_of(p.begin(), p.end(), [&](const Vec3& x) {
      return std::fabs(0.5 * x[axis] - 0.5 * first) <= 0.25 * std::fabs(first);
    });
    for (Vec3& x : q) x[axis] = (near ? x[axis] - first : x[axis]) * scale;
  }
  return q;
}

/// More than any distance of a scaled query, which is below 8.
inline constexpr double beyond_all_distances = 0x1p100;

/// A tolerance or a minimum separation at that scale. One that would overflow becomes `beyond_all_distances`; a
/// positive one stays positive.
inline double length_at_scale(double length, double scale) {
  if (!(length > 0)) return length;
  return std::clamp(length * scale, std::numeric_limits<double>::denorm_min(), beyond_all_distances);
}

/// A tolerance of a scaled query in the units of the given one; `asked`: what the caller gave, if anything.
inline double tolerance_back(double tolerance, double scale, double asked) {
  return tolerance == beyond_all_distances ? asked : tolerance / scale;
}

}  // namespace graze::engine::elementary
