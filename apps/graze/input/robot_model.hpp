// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <graze/robot/robot.hpp>

#include "input/query_options.hpp"

namespace graze::app {

/// The files of a robot, as they are named on the command line.
struct RobotInput {
  std::string robot;                  ///< URDF, or a robot file (docs/motions.md) if the name ends with .json
  std::string srdf;                   ///< empty: none
  std::vector<std::string> packages;  ///< "NAME=DIR"
};

/// A robot file (.json), not a URDF.
bool is_robot_file(const std::string& file);

/// Throws `Error` naming the file, or the option.
RobotModel read_robot_model(const RobotInput& files, const InputOptions& input);

/// "LINK BODY", then a pose of seven numbers, then "touch" and names of links; all but the first two may be missing.
AttachedBody read_attached(const std::string& text, const InputOptions& input);

}  // namespace graze::app
