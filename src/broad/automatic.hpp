// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "broad/bodies.hpp"

namespace graze::broad {

/// Which method suits the bodies as they are and move: by their number, by the share that moves and by how much their
/// sizes differ. Nothing is timed, so that the same calls always lead to the same choices.
class Automatic {
 public:
  /// Until pairs are asked for: good for questions about single boxes and rays.
  static constexpr std::string_view first_choice = "tree";

  /// Before pairs are looked for, all of them or only those that moved; `running` stays unless another is clearly
  /// better.
  std::string_view choose(const Bodies& bodies, bool only_moved, std::string_view running);

 private:
  void look_at_sizes(const Bodies& bodies);

  double share_ = 1;                // of bodies that moved, smoothed over some calls
  std::size_t size_looked_at_ = 0;  // how many bodies there were when their sizes were looked at
  std::size_t calls_since_look_ = 0, moves_since_look_ = 0;
  bool mixed_ = false;  // sizes too different for one size of cells
};

}  // namespace graze::broad
