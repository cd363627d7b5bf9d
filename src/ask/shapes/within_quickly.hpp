// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/distance.hpp>

namespace graze::ask {

/// Two shapes: one is curved, or both are boxes and hulls that are clearly apart or overlap; or a mesh and a box.
/// False: anything else, and only counters may have changed.
bool within_quickly(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                    WithinResult& result);

}  // namespace graze::ask
