// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/chain.hpp>

namespace graze {

/// A body that is fixed to a link.
struct RobotPiece {
  std::string link;
  Body body;
  Pose pose = {};         ///< in the link's frame
  std::string name = {};  ///< the caller's
};

/// Two links that may touch, and why.
struct AllowedPair {
  std::string a, b;
  std::string reason;
};

/// A named set of joints, each given by the name of its child link.
struct RobotGroup {
  std::string name;
  std::vector<std::string> links;
};

/// A named configuration of some joints, each given by the name of its child link.
struct RobotState {
  std::string name, group;
  std::vector<std::pair<std::string, std::vector<double>>> values;
};

/// A robot as data: what a file says, or what a program puts together. `load_robot` (`graze/robot/urdf.hpp`) reads one
/// from URDF and SRDF.
struct RobotModel {
  std::string name;
  std::vector<Link> links;
  std::vector<RobotPiece> pieces;
  std::vector<AllowedPair> allowed;
  std::vector<RobotGroup> groups;
  std::vector<RobotState> states;
  std::vector<std::string> passive;  ///< child links of joints that no planner moves
  /// What a reader left out, each with file, line and element: pairs of links that the robot does not have.
  std::vector<std::string> notes = {};
};

}  // namespace graze
