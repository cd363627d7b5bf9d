// SPDX-License-Identifier: MIT
#include <graze/math/pose.hpp>

#include <algorithm>
#include <cmath>

#include <graze/core/error.hpp>

#include "core/refusal.hpp"
#include "math/quat_size.hpp"

namespace graze {

namespace {

[[noreturn]] void refuse(ErrorCode code, const char* message) { throw Error(core::problem(code, "pose", message)); }

}  // namespace

Pose::Pose(const Vec3& translation, const Quat& rotation) : t_(translation), q_(rotation) {
  if (!is_finite(t_)) refuse(ErrorCode::not_finite, "the translation is not finite; give three finite numbers");
  if (!std::isfinite(q_.w) || !std::isfinite(q_.x) || !std::isfinite(q_.y) || !std::isfinite(q_.z))
    refuse(ErrorCode::not_finite, "the quaternion is not finite; give w x y z as finite numbers");
  if (q_.w == 0 && q_.x == 0 && q_.y == 0 && q_.z == 0)
    refuse(ErrorCode::bad_pose, "the quaternion is zero, which is no rotation; 1 0 0 0 is the identity");
}

Pose Pose::from_matrix(const std::array<double, 16>& m) {
  for (const double x : m)
    if (!std::isfinite(x)) refuse(ErrorCode::not_finite, "the matrix is not finite");
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
    refuse(ErrorCode::bad_pose, "the last row of the matrix is not 0 0 0 1; give 16 numbers row by row");
  const auto column = [&](std::size_t j) { return Vec3{m[j], m[4 + j], m[8 + j]}; };
  const Vec3 x = column(0), y = column(1), z = column(2);
  const double off = std::max({std::fabs(dot(x, x) - 1), std::fabs(dot(y, y) - 1), std::fabs(dot(z, z) - 1),
                               std::fabs(dot(x, y)), std::fabs(dot(x, z)), std::fabs(dot(y, z))});
  if (!(off <= 1e-6))
    refuse(ErrorCode::bad_pose,
           "the 3x3 part of the matrix is not a rotation (R^T R differs from I by more than 1e-6); scale the mesh, not "
           "the pose");
  if (dot(cross(x, y), z) < 0) refuse(ErrorCode::bad_pose, "the matrix mirrors (determinant -1); a pose can only turn");
  // Shepperd's method: start from the largest of w, x, y, z, so that nothing is divided by a small number.
  const double trace = x.x + y.y + z.z;
  Quat q;
  if (trace >= std::max({x.x, y.y, z.z}))
    q = {1 + trace, y.z - z.y, z.x - x.z, x.y - y.x};
  else if (x.x >= y.y && x.x >= z.z)
    q = {y.z - z.y, 1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z};
  else if (y.y >= z.z)
    q = {z.x - x.z, x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y};
  else
    q = {x.y - y.x, z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y};
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return Pose({m[3], m[7], m[11]}, {q.w / norm, q.x / norm, q.y / norm, q.z / norm});
}

Vec3 Pose::apply(const Vec3& p) const {
  const auto [w, x, y, z] = math::near_unit_size(q_);
  const double s = 2 / (w * w + x * x + y * y + z * z);
  return {(1 - s * (y * y + z * z)) * p.x + s * (x * y - w * z) * p.y + s * (x * z + w * y) * p.z + t_.x,
          s * (x * y + w * z) * p.x + (1 - s * (x * x + z * z)) * p.y + s * (y * z - w * x) * p.z + t_.y,
          s * (x * z - w * y) * p.x + s * (y * z + w * x) * p.y + (1 - s * (x * x + y * y)) * p.z + t_.z};
}

}  // namespace graze
