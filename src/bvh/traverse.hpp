// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bvh/box_f.hpp"
#include "bvh/limits.hpp"
#include "bvh/tree.hpp"

namespace graze::bvh {

/// The result of a leaf callback.
enum class Visit { proceed, stop };

inline std::span<const std::uint32_t> items_of(const Tree& tree, const Node& leaf) {
  return {tree.items.data() + leaf.first, leaf.count};
}

/// Depth first, left before right: calls `on_leaf(const Node&)` for every leaf for which all nodes on the path from the
/// root satisfy `enter(const BoxF&)`. Returns `stop` if a leaf callback did.
template <class Enter, class OnLeaf>
Visit traverse(const Tree& tree, Enter&& enter, OnLeaf&& on_leaf) {
  if (tree.nodes.empty()) return Visit::proceed;
  std::uint32_t stack[max_depth + 2];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = tree.nodes[stack[--size]];
    if (!enter(node.box)) continue;
    if (node.is_leaf()) {
      if (on_leaf(node) == Visit::stop) return Visit::stop;
      continue;
    }
    stack[size++] = node.first + 1;
    stack[size++] = node.first;
  }
  return Visit::proceed;
}

/// Two nodes, one of each tree; in a self-traversal both of the same tree.
struct NodePair {
  std::uint32_t a;
  std::uint32_t b;
  friend bool operator==(const NodePair&, const NodePair&) = default;
};

/// The default rule for which node to open: the node with the larger surface area, never a leaf.
struct OpenLarger {
  bool operator()(const Node& a, const Node& b) const {
    return b.is_leaf() || (!a.is_leaf() && half_area(a.box) >= half_area(b.box));
  }
};

/// Depth first over pairs of nodes: calls `on_leaves(const Node& a, const Node& b)` for every pair of leaves for which
/// all pairs on the path satisfy `enter(const Node& a, const Node& b)`. `open_first(a, b)` chooses which node of a pair
/// is replaced by its children; it must not choose a leaf.
template <class Enter, class OnLeaves, class OpenFirst = OpenLarger>
Visit traverse_pairs(const Tree& tree_a, const Tree& tree_b, Enter&& enter, OnLeaves&& on_leaves,
                     OpenFirst&& open_first = {}) {
  if (tree_a.nodes.empty() || tree_b.nodes.empty()) return Visit::proceed;
  NodePair stack[2 * max_depth + 2];  // one more pair for every level of either tree
  int size = 0;
  stack[size++] = {0, 0};
  while (size > 0) {
    const NodePair p = stack[--size];
    const Node& a = tree_a.nodes[p.a];
    const Node& b = tree_b.nodes[p.b];
    if (!enter(a, b)) continue;
    if (a.is_leaf() && b.is_leaf()) {
      if (on_leaves(a, b) == Visit::stop) return Visit::stop;
    } else if (open_first(a, b)) {
      stack[size++] = {a.first + 1, p.b};
      stack[size++] = {a.first, p.b};
    } else {
      stack[size++] = {p.a, b.first + 1};
      stack[size++] = {p.a, b.first};
    }
  }
  return Visit::proceed;
}

/// One tree against itself: visits every unordered pair of leaves once, a leaf with itself included (`&a == &b`); in a
/// pair of different leaves, a is left of b. `enter` is also called for a node with itself. It may return false there,
/// if nothing below the node touches anything else below it.
template <class Enter, class OnLeaves, class OpenFirst = OpenLarger>
Visit traverse_self(const Tree& tree, Enter&& enter, OnLeaves&& on_leaves, OpenFirst&& open_first = {}) {
  if (tree.nodes.empty()) return Visit::proceed;
  NodePair stack[4 * max_depth + 4];  // two more per level while a pair is a node with itself, then as above
  int size = 0;
  stack[size++] = {0, 0};
  while (size > 0) {
    const NodePair p = stack[--size];
    const Node& a = tree.nodes[p.a];
    const Node& b = tree.nodes[p.b];
    if (!enter(a, b)) continue;
    if (a.is_leaf() && b.is_leaf()) {
      if (on_leaves(a, b) == Visit::stop) return Visit::stop;
    } else if (p.a == p.b) {
      stack[size++] = {a.first + 1, a.first + 1};
      stack[size++] = {a.first, a.first + 1};
      stack[size++] = {a.first, a.first};
    } else if (open_first(a, b)) {
      stack[size++] = {a.first + 1, p.b};
      stack[size++] = {a.first, p.b};
    } else {
      stack[size++] = {p.a, b.first + 1};
      stack[size++] = {p.a, b.first};
    }
  }
  return Visit::proceed;
}

}  // namespace graze::bvh
