// SPDX-License-Identifier: MIT
#include "bvh/statistics.hpp"

#include <algorithm>

#include "bvh/box_f.hpp"

namespace graze::bvh {

Statistics statistics(const Tree& tree) {
  Statistics s;
  s.nodes = tree.nodes.size();
  s.items = tree.items.size();
  s.bytes = tree.nodes.size() * sizeof(Node) + tree.items.size() * sizeof(std::uint32_t);
  if (tree.nodes.empty()) return s;
  std::vector<int> depth(tree.nodes.size(), 0);
  double weighted_area = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {  // parents are stored before their children
    const Node& node = tree.nodes[i];
    weighted_area += half_area(node.box) * (node.is_leaf() ? 1.0 + node.count : 1.0);
    s.depth = std::max(s.depth, depth[i]);
    if (node.is_leaf()) {
      ++s.leaves;
    } else {
      depth[node.first] = depth[node.first + 1] = depth[i] + 1;
    }
  }
  const double root_area = half_area(tree.nodes[0].box);
  s.sah_cost = root_area > 0 ? weighted_area / root_area : static_cast<double>(s.nodes + s.items);
  s.average_leaf = static_cast<double>(s.items) / static_cast<double>(s.leaves);
  s.bytes_per_item = static_cast<double>(s.bytes) / static_cast<double>(s.items);
  return s;
}

}  // namespace graze::bvh
