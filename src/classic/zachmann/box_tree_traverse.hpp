// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/core/method_counters.hpp>

#include "classic/zachmann/box_tree_data.hpp"

namespace graze::classic::zachmann {

/// Simultaneous recursive traversal of two box-trees (Zachmann 3.6.1), in a fixed order. `Test` decides which boxes may
/// meet (BoxTreeClip, BoxTreeAligned), `Leaves` is the elementary operation on two leaves: `leaves(leaf_a, leaf_b,
/// boxes)` and `leaves.done()`.
template <class Test, class Leaves>
class BoxTreeTraversal {
 public:
  BoxTreeTraversal(const BoxTreeData& a, const BoxTreeData& b, const Test& test, Leaves& leaves, AllCounters& counters)
      : trees_{&a, &b}, test_(test), leaves_(leaves), counters_(counters) {}

  void run() {
    Pair roots;
    ++counters_.box_tests;
    if (test_.start(roots)) visit({0, 0}, roots);
  }

 private:
  using Pair = typename Test::Pair;
  using Nodes = std::array<std::uint32_t, 2>;

  const BoxTreeData::Node& node(const Nodes& nodes, std::size_t body) const { return trees_[body]->nodes[nodes[body]]; }

  void visit(const Nodes& nodes, const Pair& pair) {
    const bool leaf_a = node(nodes, 0).is_leaf(), leaf_b = node(nodes, 1).is_leaf();
    if (leaf_a && leaf_b) {
      ++counters_.leaf_pairs;
      leaves_(node(nodes, 0).left, node(nodes, 1).left, pair.box);
    } else if (leaf_a) {
      split(nodes, pair, 1, [&](const Nodes& n, const Pair& p) { visit(n, p); });
    } else if (leaf_b) {
      split(nodes, pair, 0, [&](const Nodes& n, const Pair& p) { visit(n, p); });
    } else {
      split(nodes, pair, 0, [&](const Nodes& n, const Pair& p) {
        split(n, p, 1, [&](const Nodes& nn, const Pair& pp) { visit(nn, pp); });
      });
    }
  }

  /// Cuts one body's box and continues with the parts that may meet the other box.
  template <class Next>
  void split(const Nodes& nodes, const Pair& pair, int body, Next&& next) {
    if (leaves_.done()) return;
    ++counters_.node_pairs;
    ++counters_.box_tree_splits;
    counters_.box_tests += 2;
    const auto b = static_cast<std::size_t>(body);
    const BoxTreeData::Node& n = node(nodes, b);
    std::array<Pair, 2> parts;
    const std::array<bool, 2> meets = test_.split(pair, body, n.axis, n.cut, parts);
    for (const std::size_t part : {0, 1}) {
      Nodes below = nodes;
      below[b] = part == 0 ? n.left : n.right;
      if (meets[part] && !trees_[b]->is_empty(below[b])) next(below, parts[part]);
    }
  }

  std::array<const BoxTreeData*, 2> trees_;
  const Test& test_;
  Leaves& leaves_;
  AllCounters& counters_;
};

}  // namespace graze::classic::zachmann
