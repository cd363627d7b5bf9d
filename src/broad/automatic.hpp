// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "broad/bodies.hpp"

namespace graze::broad {

/// Chooses the method that suits the current bodies: by their number, by the share that moves and by how much their
/// sizes differ. Nothing is timed, so that the same calls always lead to the same choices.
class Automatic {
 public:
  /// Used until pairs are requested: good for queries with single boxes and rays.
  static constexpr std::string_view first_choice = "tree";

  /// Called before a search for pairs, of all bodies or only of those that moved. Keeps `running` unless another method
  /// is clearly better.
  std::string_view choose(const Bodies& bodies, bool only_moved, std::string_view running);

 private:
  void examine_sizes(const Bodies& bodies);

  double share_ = 1;               // of bodies that moved, smoothed over several calls
  std::size_t examined_size_ = 0;  // number of bodies when their sizes were last sampled
  std::size_t calls_since_examined_ = 0, moves_since_examined_ = 0;
  bool mixed_ = false;  // sizes differ too much for one cell size
};

}  // namespace graze::broad
