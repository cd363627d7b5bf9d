// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/pose.hpp>

namespace graze::math {

/// The pose in the world of something with pose `local` in a frame with pose `parent`. It is the nearest pose in double
/// precision, which from then on *is* the pose. Exact where the frame does not rotate and the sum of the translations
/// is a double. Throws `Error` (not_finite) if that sum overflows.
Pose composed(const Pose& parent, const Pose& local);

}  // namespace graze::math
