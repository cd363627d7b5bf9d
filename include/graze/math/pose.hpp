// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// A quaternion in the order w, x, y, z. It need not have length one: it represents q / |q|.
struct Quat {
  double w = 1, x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

/// The position and orientation of a body: a local point x is at R(q / |q|) x + t, in real arithmetic. Nothing is
/// normalised or rounded here; queries decide exactly with these numbers.
class GRAZE_API Pose {
 public:
  Pose() = default;
  /// Throws `Error` (not_finite, bad_pose) if a number is not finite or the quaternion is zero.
  explicit Pose(const Vec3& translation, const Quat& rotation = {});
  /// From a 4x4 matrix in row-major order, last row 0 0 0 1. The 3x3 part must be a rotation to within 1e-6 in every
  /// entry of R^T R - I, and not a reflection, or `Error` (bad_pose) is thrown. It is converted to the quaternion that
  /// `rotation()` returns, which from then on defines the rotation.
  static Pose from_matrix(const std::array<double, 16>& row_major);

  const Vec3& translation() const { return t_; }
  const Quat& rotation() const { return q_; }
  /// The placed point, rounded: accurate to a few units in the last place of the largest term.
  Vec3 apply(const Vec3& local) const;

  friend bool operator==(const Pose&, const Pose&) = default;

 private:
  Vec3 t_;
  Quat q_;
};

}  // namespace graze
