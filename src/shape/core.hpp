// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/shape/shape.hpp>

#include "math/vectors.hpp"

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

  /// An upper bound of the distance of its points, and of those within its radius, from the origin.
  double reach() const { return reach_; }

  /// Is it where its own coordinates say?
  bool in_own_place() const { return !placed_; }
  /// Radii of two balls around `at_place({})`, without the core's radius and rounded to 8 eps: one is in the core
  /// (negative: none is known), the other contains it.
  double inner() const { return inner_; }
  double outer() const { return outer_; }

 private:
  Vec3 furthest_of_own(const Vec3& n) const;
  Vec3 furthest_of_points(const Vec3& n) const;
  void measure();

  double reach_ = 0, inner_ = 0, outer_ = 0;
  bool placed_ = false, moderate_ = false;
  std::array<double, 9> turn_{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< row by row
  Vec3 shift_;
};

namespace core_detail {

/// The point of the circle of this radius around the z axis that is furthest along n; its z is 0. The length is
/// accurate to 3 eps, the quotient and the product to one each.
inline Vec3 on_circle(double radius, const Vec3& n) {
  const double len = std::sqrt(n.x * n.x + n.y * n.y);
  // n is along the axis, or nearly: what is lost is below 2^-499 of the radius. Squares of less would not be accurate.
  if (!(len > 0x1p-500)) return {radius, 0, 0};
  const double factor = radius / len;
  return {factor * n.x, factor * n.y, 0};
}

/// x_i = a_i^2 n_i / |(a_i n_i)|, scaled so that no square overflows or vanishes. With a largest half axis between
/// 2^-400 and 2^400 none does that matters: where all squares are below 2^-1000, no point is further along n than
/// 2^-500.
inline Vec3 on_ellipsoid(const Vec3& half, bool moderate, const Vec3& n) {
  Vec3 stretched{half.x * n.x, half.y * n.y, half.z * n.z};
  if (!moderate) stretched = math::of_size_one(stretched);
  const double len = math::norm(stretched);
  if (!(len > 0x1p-500)) return {};
  const double factor = 1 / len;
  return {half.x * (stretched.x * factor), half.y * (stretched.y * factor), half.z * (stretched.z * factor)};
}

}  // namespace core_detail

// Inline: the searches spend their time here.
inline Vec3 Core::furthest_of_own(const Vec3& n) const {
  switch (kind) {
    case Kind::point: return {};
    case Kind::segment: return {0, 0, n.z < 0 ? -half.z : half.z};
    case Kind::box: return {std::copysign(half.x, n.x), std::copysign(half.y, n.y), std::copysign(half.z, n.z)};
    case Kind::cylinder: {
      Vec3 x = core_detail::on_circle(half.x, n);
      x.z = n.z < 0 ? -half.z : half.z;
      return x;
    }
    case Kind::cone: {
      Vec3 x = core_detail::on_circle(half.x, n);
      x.z = -half.z;
      return n.x * x.x + n.y * x.y + n.z * x.z > n.z * half.z ? x : Vec3{0, 0, half.z};
    }
    case Kind::ellipsoid: return core_detail::on_ellipsoid(half, moderate_, n);
    case Kind::points: break;
  }
  return furthest_of_points(n);
}

inline Vec3 Core::at_place(const Vec3& own) const { return placed_ ? math::turned(turn_, own) + shift_ : own; }

inline Vec3 Core::furthest(const Vec3& n) const {
  if (!placed_) return furthest_of_own(n);
  const Vec3 own{turn_[0] * n.x + turn_[3] * n.y + turn_[6] * n.z, turn_[1] * n.x + turn_[4] * n.y + turn_[7] * n.z,
                 turn_[2] * n.x + turn_[5] * n.y + turn_[8] * n.z};
  return at_place(furthest_of_own(own));
}

}  // namespace graze::shape
