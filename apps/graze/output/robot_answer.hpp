// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <graze/robot/robot.hpp>

#include "output/json.hpp"

namespace graze::app {

/// A robot and what it was made of, for answers.
struct RobotScene {
  graze::Robot robot;
  std::vector<Obstacle> obstacles;

  const Body& body(std::uint32_t part) const;
  /// Of the link, the attached body or the obstacle.
  std::string name(std::uint32_t part) const { return robot.part(part).name; }
};

/// The names of both.
Json links_json(const RobotScene& scene, const std::optional<PartPair>& pair);

Json to_json(const StateResult& result, const RobotScene& scene);
/// With the keys of `RobotMotionResult` and those of the first contact.
Json to_json(const RobotMotionResult& result, const FirstContactOptions& options, const RobotScene& scene);
Json to_json(const RobotTrajectoryResult& result, const FirstContactOptions& options, const RobotScene& scene);

void print(const StateResult& result, const RobotScene& scene);
void print(const RobotTrajectoryResult& result, const RobotScene& scene, std::size_t segments);

}  // namespace graze::app
