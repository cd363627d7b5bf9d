// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <graze/math/pose.hpp>
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

  /// Puts the core elsewhere, as a piece of a compound. The pose replaces an earlier one.
  void place(const Pose& pose);
  /// Where a point of the core is after `place`, rounded as `furthest` is; exact for the origin.
  Vec3 at_place(const Vec3& own) const;

  /// A point of the core that is furthest along n, which must have a length between 2^-500 and 2^500.
  ///
  /// Rounding: the point is within 8 eps r of the core, and no point of the core is further along n / |n| than this one
  /// by more than 16 eps r, where r is the core's largest distance from the origin. (Cylinder, cone and ellipsoid: two
  /// to three relative roundings of eps for products, at most 4 for a length and a quotient. The choice between two
  /// candidates compares sums of two products.) Of a placed core, r includes the distance of its place, and the bounds
  /// are 80 eps r and 160 eps r: the entries of the rotation are within 20 eps of the exact ones on its diagonal and 8
  /// eps elsewhere, so a turned point is within 60 eps r of the exact one, and a direction that is turned back within
  /// 60 eps, which costs twice that.
  Vec3 furthest(const Vec3& n) const;

  /// An upper bound of the distance of its points from the origin.
  double reach() const;

 private:
  Vec3 furthest_of_own(const Vec3& n) const;

  bool placed_ = false;
  std::array<double, 9> turn_{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< row by row
  Vec3 shift_;
};

}  // namespace graze::shape
