// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/math/pose.hpp>

#include "math/vectors.hpp"
#include "shape/core.hpp"

namespace graze::engine::curved {

/// Are two shapes farther apart than d (true), or nearer (false), as balls around their centres tell: those that
/// contain them, and those that are in them? Needs no rotation, and answers about every second question about shapes
/// that are near each other. None: the balls do not tell.
///
/// Rounding: a difference, squares, sums, a root and the radii are off by less than 32 eps of all lengths together;
/// 2^-30 of them is also more than 8 times the rounding bound of shape/shape.hpp, within which no answer is certain.
/// Beyond 2^400 and below 2^-400 squares might overflow or vanish, and comparisons with NaN fail.
inline std::optional<bool> apart_by_balls(const shape::Core& a, const Pose& pose_a, const shape::Core& b,
                                          const Pose& pose_b, double d) {
  if (!a.in_own_place() || !b.in_own_place()) return std::nullopt;
  const double far = math::norm(pose_b.translation() - pose_a.translation()), radii = a.radius + b.radius + d;
  const double outer = a.outer() + b.outer() + radii, all = far + outer;
  if (!(all > 0x1p-400 && all < 0x1p400)) return std::nullopt;
  if (far > outer + 0x1p-30 * all) return true;
  if (far < a.inner() + b.inner() + radii - 0x1p-30 * all) return false;
  return std::nullopt;
}

}  // namespace graze::engine::curved
