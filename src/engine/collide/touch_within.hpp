// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/core/counters.hpp>
#include <graze/math/pose.hpp>

#include "body/body_data.hpp"

namespace graze::engine::collide {

/// What is certain of two meshes that are near where their poses put them, but not exactly there.
enum class Touch : std::uint8_t {
  apart,     ///< they share no point, wherever they are
  touching,  ///< they share one where the poses put them
  open,      ///< neither was shown; the caller asks another way
};

/// Every point of either mesh may be off from where the poses put it, by at most `error` together. One traversal, which
/// ends at the first two triangles that touch: yes or no, without a witness. `open` also where single precision leaves
/// many pairs of triangles to exact arithmetic, as with flat faces that lie on each other: the methods of `collide`
/// have better means there.
Touch touch_within(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b,
                   double error, Counters& counters);

}  // namespace graze::engine::collide
