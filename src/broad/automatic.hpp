// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "broad/bodies.hpp"

namespace graze::broad {

/// Which method suits the bodies as they are and move.
class Automatic {
 public:
  static constexpr std::string_view first_choice = "all_pairs";

  /// Before pairs are looked for; `running` stays unless another is clearly better.
  std::string_view choose(const Bodies& bodies, std::string_view running);
};

}  // namespace graze::broad
