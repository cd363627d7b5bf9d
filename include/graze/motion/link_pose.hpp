// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/pose.hpp>

namespace graze {

/// Where a link is at one state, as numbers: its `pose` is rounded, and a local point x is at most
/// `error` + `turn_error` |x| from where the joint coordinates put it. Both are 0 where the pose is exact.
struct LinkPose {
  Pose pose;
  double error = 0, turn_error = 0;
};

}  // namespace graze
