// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/motion/chain.hpp>
#include <graze/robot/model.hpp>

#include "input/json_reader.hpp"
#include "input/query_options.hpp"

namespace graze::app {

/// The contents of a robot file (docs/motions.md).
struct Robot {
  Chain chain;
  std::vector<std::optional<Body>> bodies;      ///< by link; none: only a frame
  std::optional<std::vector<double>> from, to;  ///< none: not in the file
  std::vector<std::array<LinkId, 2>> ignored;   ///< pairs of links that are not tested
  std::vector<RobotGroup> groups = {};
  std::vector<RobotState> states = {};
  std::vector<std::string> passive = {};
};

/// Name, parent and joint of a link.
Link read_link(JsonReader& reader);
/// "ignore": pairs of names of links.
std::vector<std::array<LinkId, 2>> read_ignored(JsonReader& reader, const Chain& chain);

/// Reads a robot and its meshes, whose names are relative to the file. Throws `Error` naming file and key.
Robot load_robot(const std::string& file, const InputOptions& input);

}  // namespace graze::app
