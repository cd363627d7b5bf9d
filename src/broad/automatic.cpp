// SPDX-License-Identifier: MIT
#include "broad/automatic.hpp"

namespace graze::broad {

std::string_view Automatic::choose(const Bodies& bodies, std::string_view running) {
  return bodies.size() > 32 ? "strips" : running;
}

}  // namespace graze::broad
