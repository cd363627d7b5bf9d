// SPDX-License-Identifier: MIT
#include "query/collide/automatic.hpp"

namespace graze::query {

std::string_view automatic_method(const CollideQuery&) {
  return "tree";  // the fastest certain method on every row of `scripts/bench discrete`
}

}  // namespace graze::query
