// SPDX-License-Identifier: MIT
#include "bvh/front.hpp"

#include <limits>

namespace graze::bvh {

Ancestry ancestry(const Tree& tree) {
  Ancestry result;
  result.parent.resize(tree.nodes.size());
  result.weight.resize(tree.nodes.size());
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
    const Node& node = tree.nodes[n];
    const double area = half_area(node.box);
    // Infinite flat boxes have no area; any weight will do as long as no child weighs more than its parent.
    float weight = area >= 0 ? static_cast<float>(std::min(area, double{std::numeric_limits<float>::max()}))
                             : std::numeric_limits<float>::max();
    if (n != 0) weight = std::min(weight, result.weight[result.parent[n]]);
    result.weight[n] = weight;
    if (!node.is_leaf()) result.parent[node.first] = result.parent[node.first + 1] = n;
  }
  return result;
}

}  // namespace graze::bvh
