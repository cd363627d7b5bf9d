// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <graze/motion/chain.hpp>
#include <graze/query/body.hpp>

#include "json_reader.hpp"
#include "query_options.hpp"

namespace graze::app {

/// What a robot file holds (docs/motions.md).
struct Robot {
  Chain chain;
  std::vector<std::optional<Body>> bodies;      ///< by link; none: a frame only
  std::optional<std::vector<double>> from, to;  ///< none: the file does not say
  std::vector<std::array<LinkId, 2>> ignored;   ///< pairs of links that are not asked for contact
};

/// Name, parent and joint of a link.
Link read_link(JsonReader& reader);
/// "ignore": pairs of names of links.
std::vector<std::array<LinkId, 2>> read_ignored(JsonReader& reader, const Chain& chain);

/// Reads a robot and its meshes, whose names are relative to the file. Throws `Error` naming file and key.
Robot load_robot(const std::string& file, const InputOptions& input);

}  // namespace graze::app
