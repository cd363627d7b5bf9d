// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <graze/robot/robot.hpp>

namespace graze::bench {

struct Arm {
  std::string name;
  RobotModel model;  ///< all bodies are meshes
};

/// The Panda and the UR5 of `../shared/data/robots`, where they are and graze::robot is built; else an arm of seven
/// turning joints with bodies of 300 triangles.
std::vector<Arm> arms();

/// Bodies all around an arm, with so many triangles in all.
std::vector<Obstacle> clutter(std::size_t triangles, std::uint64_t seed);

/// What an arm is asked: states within its limits, and motions from free states in which the coordinate that changes
/// most changes by `reach`.
struct ArmQuestions {
  std::vector<double> states, from, to;
};
ArmQuestions arm_questions(const Robot& robot, std::size_t states, std::size_t motions, double reach,
                           std::uint64_t seed);

/// The folder of recorded data; none: it is not here.
std::optional<std::filesystem::path> robot_data();

}  // namespace graze::bench
