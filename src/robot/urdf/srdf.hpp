// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <graze/robot/model.hpp>

namespace graze::robot {

/// Adds what an SRDF says of the robot.
void read_srdf(const std::filesystem::path& file, RobotModel& model);

}  // namespace graze::robot
