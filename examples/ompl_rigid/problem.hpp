// SPDX-License-Identifier: MIT
// Planning problems of rigid bodies: a robot, what is around it, start, goal and bounds, as OMPL.app's .cfg files have
// them.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include <graze/graze.hpp>

struct Problem {
  std::string name;
  graze::Mesh robot, world;
  graze::Pose start, goal;
  graze::Vec3 low, high;  ///< of the robot's position
};

/// Throws `std::runtime_error` or `graze::Error` with what is wrong with a file.
Problem read_problem(const std::filesystem::path& cfg);

/// A bar has to pass through a window of a wall of 2,400 triangles.
Problem window();
