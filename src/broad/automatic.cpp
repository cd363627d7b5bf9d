// SPDX-License-Identifier: MIT
#include "broad/automatic.hpp"

namespace graze::broad {

std::string_view Automatic::choose(const Bodies&, std::string_view running) { return running; }

}  // namespace graze::broad
