// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <graze/math/vec3.hpp>

namespace graze::bv {

/// All points centre + s0 axis[0] + s1 axis[1] + s2 axis[2], |sk| <= half[k], in real numbers. The axes are orthonormal
/// up to rounding. The definition does not rely on exact orthonormality, so the deviation does no harm.
struct OrientedBox {
  Vec3 centre;
  Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3 half;

  double half_surface() const { return half.x * half.y + half.y * half.z + half.z * half.x; }
};

/// Fitted along the principal axes of the points' covariance, or along the coordinate axes if that box is smaller.
/// Contains every point, rounding included. Without points: the degenerate box at 0.
OrientedBox fit_oriented_box(std::span<const Vec3> points);

/// The box of these points along the given axes. The axes must be orthonormal to within 2^-48 in every product of two.
OrientedBox fit_along(std::span<const Vec3> points, const Vec3 (&axes)[3]);

}  // namespace graze::bv
