// SPDX-License-Identifier: MIT
#include "bvh/refit.hpp"

#include <algorithm>
#include <limits>

#include "bvh/box_f.hpp"

namespace graze::bvh {

void refit(Tree& tree, std::span<const BoxF> boxes) {
  // Children are always stored after their parent, so one backward pass reaches them first.
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    Node& node = tree.nodes[i];
    if (!node.is_leaf()) {
      node.box = merged(tree.nodes[node.first].box, tree.nodes[node.first + 1].box);
      continue;
    }
    BoxF box = boxes[tree.items[node.first]];
    for (std::uint32_t k = 1; k < node.count; ++k) box = merged(box, boxes[tree.items[node.first + k]]);
    node.box = box;
  }
}

}  // namespace graze::bvh
