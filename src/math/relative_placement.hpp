// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

#include "math/dyadic.hpp"

namespace graze::math {

/// Two placed bodies seen from A's own frame. There A's points have their given coordinates and B's points are exactly
/// Ra^T (Rb x + tb - ta). Rounded coordinates come with their error bound; exact ones are requested where that is not
/// sufficient.
class RelativePlacement {
 public:
  RelativePlacement(const Pose& a, const Pose& b);

  /// A point of B in A's frame, rounded.
  Vec3 place(const Vec3& x) const {
    return {r_[0] * x.x + r_[1] * x.y + r_[2] * x.z + t_.x, r_[3] * x.x + r_[4] * x.y + r_[5] * x.z + t_.y,
            r_[6] * x.x + r_[7] * x.y + r_[8] * x.z + t_.z};
  }
  /// No coordinate of place(x) is further than this from the exact one. Every entry of the rounded rotation is within
  /// 64 eps of the exact one (see the constructor); the sums and the translation add less than 36 eps more. Infinite
  /// from 2^1022 on (the sum is multiplied by 4 first), where a sum of `place` may overflow; below, each of its partial
  /// sums is at most (1 + 100 eps) 2^1022.
  double error(const Vec3& x) const {
    return 25 * 0x1p-53 * (4 * (std::fabs(x.x) + std::fabs(x.y) + std::fabs(x.z) + shift_)) +
           8 * std::numeric_limits<double>::denorm_min();
  }
  /// A point of A in B's frame, rounded: R^T (y - t).
  Vec3 place_back(const Vec3& y) const {
    const Vec3 z = y - t_;
    return {r_[0] * z.x + r_[3] * z.y + r_[6] * z.z, r_[1] * z.x + r_[4] * z.y + r_[7] * z.z,
            r_[2] * z.x + r_[5] * z.y + r_[8] * z.z};
  }
  /// No coordinate of place_back(y) is further than this from the exact one. With e = 64 eps the error of an entry, s
  /// the shift and |t|_1 <= sqrt(3) s: z is off by 100 eps s (`error` of t = place(0)) + eps (|y|_1 + |t|_1) in each
  /// coordinate, which the rotation (columns of 1-norm at most sqrt(3)) turns into 174 eps s + 2 eps |y|_1 + 4 eps s at
  /// most; the entries and the sums add 68 eps (|y|_1 + 1.74 s). Together below 297 eps (|y|_1 + s).
  double error_back(const Vec3& y) const { return 3 * error(y); }
  /// The rounded rotation (row by row) and translation that `place` uses.
  const std::array<double, 9>& rotation() const { return r_; }
  const Vec3& translation() const { return t_; }
  /// |tb - ta| in the 1-norm, for error bounds.
  double shift() const { return shift_; }

  /// A point of B in A's frame, if its coordinates there are exactly doubles and this is cheap to prove: both rotations
  /// permute the axes (or the poses are equal) and the sums have no rounding error.
  std::optional<Vec3> place_exactly(const Vec3& x) const;

  /// Are `rotation()` (entries 0 and +-1) and `translation()` exact?
  bool is_axis_permutation() const { return doubles_possible_; }

  /// Exact coordinates in A's frame of a point of A, of a point of B, both scaled by the same positive number |qa|^2
  /// |qb|^2.
  DyadicVec3 exact_a(const Vec3& x) const;
  DyadicVec3 exact_b(const Vec3& x) const;
  /// The factor |qa|^2 |qb|^2.
  const Dyadic& scale() const;

 private:
  struct Exact {
    std::array<Dyadic, 9> m;  ///< |qa|^2 |qb|^2 Ra^T Rb
    DyadicVec3 t;             ///< |qa|^2 |qb|^2 Ra^T (tb - ta)
    Dyadic scale;
  };
  const Exact& exact() const;

  Pose a_, b_;
  std::array<double, 9> r_;
  Vec3 t_;
  double shift_;
  bool doubles_possible_ = false;  ///< r_ and t_ are exact, r_ permutes the axes
  // Computed on first use. A placement belongs to one query in one thread, so this state is never shared.
  mutable std::optional<Exact> exact_;
};

}  // namespace graze::math
