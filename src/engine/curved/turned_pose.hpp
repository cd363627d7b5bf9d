// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/pose.hpp>

#include "math/rotation_matrix.hpp"
#include "math/vectors.hpp"

namespace graze::engine::curved {

/// A pose as a matrix, computed once for several points. Rounded as `Pose::apply` is.
struct TurnedPose {
  std::array<double, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 t;

  TurnedPose() = default;
  explicit TurnedPose(const Pose& pose)
      : r(math::rotation_matrix(math::near_unit_size(pose.rotation()))), t(pose.translation()) {}

  Vec3 apply(const Vec3& x) const { return math::turned(r, x) + t; }
  /// A unit direction, which stays one.
  Vec3 turn(const Vec3& n) const {
    const Vec3 turned = math::turned(r, n);
    const double len = math::norm(turned);
    return len > 0 ? turned * (1 / len) : turned;
  }
};

}  // namespace graze::engine::curved
