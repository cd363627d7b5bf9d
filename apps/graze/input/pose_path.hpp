// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <graze/math/pose.hpp>

namespace graze::app {

/// The poses of a path: a line each, a translation and a quaternion, with blanks or commas in between; empty lines, and
/// what follows a #, do not count. `order`: "wxyz" or "xyzw". Throws `Error` naming file and line, or the option.
std::vector<Pose> read_pose_path(const std::string& file, const std::string& order);

}  // namespace graze::app
