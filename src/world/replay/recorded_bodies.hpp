// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/motion/chain.hpp>
#include <graze/world/world.hpp>

#include "world/replay/recorded_line.hpp"

namespace graze::world {

/// The bodies of a recording, each on a line of its own before its first use.
class RecordedBodies {
 public:
  /// Does a line that begins with this word hold a body?
  static bool holds(std::string_view call);
  /// Reads the rest of such a line.
  void read(std::string_view call, RecordedLine& line);

  /// One that was read before, by its number.
  const Body& body(RecordedLine& line) const;
  std::vector<LinkBody> links(RecordedLine& line) const;

 private:
  static Mesh read_mesh(RecordedLine& line);
  static Body read_shape(RecordedLine& line);
  Body read_deformed_mesh(RecordedLine& line) const;
  Body read_piece(RecordedLine& line) const;
  Body read_compound(RecordedLine& line) const;

  std::vector<Body> bodies_;
};

Chain read_chain(RecordedLine& line);

}  // namespace graze::world
