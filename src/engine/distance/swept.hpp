// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/counters.hpp>
#include <graze/math/pose.hpp>

#include "body/body_data.hpp"

namespace graze::engine::distance {

/// True: certified, two meshes stay farther apart than d while B is moved by s times `way` (in the world), for every s
/// from -1 to 1. False: this was not shown.
bool apart_while_swept(double d, const body::BodyData& a, const Pose& pose_a, const body::BodyData& b,
                       const Pose& pose_b, const Vec3& way, Counters& counters);

}  // namespace graze::engine::distance
