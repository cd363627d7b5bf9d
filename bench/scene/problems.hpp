// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::bench {

/// A rigid body that is to get from one pose to another.
struct PlanningProblem {
  std::string name;
  Mesh robot, world;
  Pose start, goal;
  Vec3 low, high;  ///< of the robot's position
};

/// Those of `../shared/data/planning` where they are and assimp is there, the hardest last; else a bar and a window.
std::vector<PlanningProblem> planning_problems();

}  // namespace graze::bench
