// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "bvh/tree.hpp"

namespace graze::bvh {

struct Statistics {
  std::size_t nodes = 0;
  std::size_t leaves = 0;
  std::size_t items = 0;
  int depth = 0;  ///< of the deepest leaf; a lone root has depth 0
  /// Surface-area heuristic: the expected number of nodes and items hit by a long random line that hits the root.
  double sah_cost = 0;
  double average_leaf = 0;  ///< items per leaf
  std::size_t bytes = 0;    ///< of nodes and item indices
  double bytes_per_item = 0;
};

Statistics statistics(const Tree& tree);

}  // namespace graze::bvh
