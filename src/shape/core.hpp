// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <graze/shape/shape.hpp>

namespace graze::shape {

/// A curved shape as the kernels see it: a convex *core* and all points within `radius` of it.
struct Core {
  enum class Kind : unsigned char { point, segment, box, cylinder, cone, ellipsoid, points };

  Kind kind = Kind::point;
  /// Half lengths: {., ., half length} of a segment, half sides of a box, {radius, radius, half height} of a cylinder
  /// or cone, half axes of an ellipsoid.
  Vec3 half;
  double radius = 0;
  std::vector<Vec3> points;  ///< of kind `points` only

  /// Not for half-spaces.
  explicit Core(const Shape& shape);

  /// Multiplies all lengths by 2^exponent.
  void scale(int exponent);

  /// A point of the core that is furthest along n, which must have a length between 2^-500 and 2^500.
  ///
  /// Rounding: the point is within 8 eps r of the core, and no point of the core is further along n / |n| than this one
  /// by more than 16 eps r, where r is the core's largest distance from the origin. (Cylinder, cone and ellipsoid: two
  /// to three relative roundings of eps for products, at most 4 for a length and a quotient. The choice between two
  /// candidates compares sums of two products.)
  Vec3 furthest(const Vec3& n) const;

  /// An upper bound of the distance of its points from the origin.
  double reach() const;
};

}  // namespace graze::shape
