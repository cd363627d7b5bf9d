// SPDX-License-Identifier: MIT
// States and paths of a robot as text.
#pragma once

#include <string>
#include <vector>

#include <graze/robot/robot.hpp>

namespace graze::app {

/// A state as one quoted argument: coordinates in the order of the robot's movable joints or, if it is no number, the
/// name of a state of the SRDF, in which joints that it does not name are at 0.
std::vector<double> read_state(const graze::Robot& robot, const std::string& text, const std::string& option);

/// The rows of a CSV file as a trajectory. Each is a waypoint: its time if there is one column more than coordinates
/// (else their number is the time), and then perhaps velocities, and then accelerations. With `spline`, control points
/// of a cubic B-spline. Throws `Error` naming file and row.
Trajectory read_path(const graze::Robot& robot, const std::string& file, bool spline);

/// The names of all coordinates, "joint" or "joint.x", where a joint without a name is called as its link.
std::vector<std::string> coordinate_names(const graze::Robot& robot);

}  // namespace graze::app
