// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/math/pose.hpp>

#include "engine/curved/scaling.hpp"
#include "engine/curved/turned_pose.hpp"
#include "shape/placed_core.hpp"

namespace graze::engine::curved {

/// Two cores seen from A's frame, with lengths scaled by a power of two so that no coordinate exceeds 1. Nothing is
/// copied, unless the sizes are beyond 2^400 or below 2^-400: there the kernels' products might overflow or vanish.
class PlacedPair {
 public:
  PlacedPair(const shape::Core& core_a, const Pose& pose_a, const shape::Core& core_b, const Pose& pose_b);
  PlacedPair(const PlacedPair&) = delete;

  /// This frame in the world, but for the scale. A ball looks the same from every side: if A is one, these are the
  /// world's directions.
  TurnedPose frame;
  shape::OwnCore a;
  shape::PlacedCore b;
  double radius_a, radius_b;
  int exponent;  ///< a length of 1 in this frame is 2^exponent

  double radius() const { return radius_a + radius_b; }
  /// A point of this frame in the world, rounded.
  Vec3 in_world(const Vec3& x) const {
    return frame.apply(a.scale == 1 ? scaled(x, exponent) : x * power_of_two(exponent));
  }

 private:
  void place(const Pose& pose_a, const Pose& pose_b, const Vec3& d);

  std::optional<shape::Core> copy_a_, copy_b_;
};

}  // namespace graze::engine::curved
