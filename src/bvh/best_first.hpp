// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "bvh/traverse.hpp"

namespace graze::bvh {

/// The queue of a best-first traversal; the caller keeps it, so that a warm query allocates nothing.
struct BestFirstScratch {
  struct Entry {
    double bound;
    NodePair pair;
  };
  std::vector<Entry> heap;
};

namespace detail {

/// For a heap with the least bound on top; ties by node numbers, so that the order is the same everywhere.
inline bool later(const BestFirstScratch::Entry& x, const BestFirstScratch::Entry& y) {
  if (x.bound != y.bound) return x.bound > y.bound;
  return x.pair.a != y.pair.a ? x.pair.a > y.pair.a : x.pair.b > y.pair.b;
}

/// A NaN bounds nothing.
inline double usable(double bound) { return bound == bound ? bound : -std::numeric_limits<double>::infinity(); }

}  // namespace detail

/// Pairs of nodes in order of a lower bound of what is being minimised. `lower_bound(const Node& a, const Node& b)`
/// must not exceed the value of any pair of leaves below; `on_leaves(a, b, limit)` returns the limit from then on (the
/// best value found so far). Only pairs whose bound is *above* the limit are skipped: among equals the caller can
/// choose canonically. Returns the last limit; a negative infinity from `on_leaves` ends the search.
template <class LowerBound, class OnLeaves, class OpenFirst = OpenLarger>
double best_first(const Tree& tree_a, const Tree& tree_b, LowerBound&& lower_bound, OnLeaves&& on_leaves, double limit,
                  BestFirstScratch& scratch, OpenFirst&& open_first = {}) {
  auto& heap = scratch.heap;
  heap.clear();
  if (tree_a.nodes.empty() || tree_b.nodes.empty()) return limit;
  const auto push = [&](NodePair p) {
    const double bound = detail::usable(lower_bound(tree_a.nodes[p.a], tree_b.nodes[p.b]));
    if (bound > limit) return;
    heap.push_back({bound, p});
    std::push_heap(heap.begin(), heap.end(), detail::later);
  };
  push({0, 0});
  while (!heap.empty()) {
    const auto [bound, p] = heap.front();
    if (bound > limit) break;
    std::pop_heap(heap.begin(), heap.end(), detail::later);
    heap.pop_back();
    const Node& a = tree_a.nodes[p.a];
    const Node& b = tree_b.nodes[p.b];
    if (a.is_leaf() && b.is_leaf()) {
      limit = on_leaves(a, b, limit);
    } else if (open_first(a, b)) {
      push({a.first, p.b});
      push({a.first + 1, p.b});
    } else {
      push({p.a, b.first});
      push({p.a, b.first + 1});
    }
  }
  return limit;
}

/// The same for one tree and anything else: `lower_bound(const Node&)`, `on_leaf(const Node&, limit)`.
template <class LowerBound, class OnLeaf>
double best_first(const Tree& tree, LowerBound&& lower_bound, OnLeaf&& on_leaf, double limit,
                  BestFirstScratch& scratch) {
  auto& heap = scratch.heap;
  heap.clear();
  if (tree.nodes.empty()) return limit;
  const auto push = [&](std::uint32_t n) {
    const double bound = detail::usable(lower_bound(tree.nodes[n]));
    if (bound > limit) return;
    heap.push_back({bound, {n, 0}});
    std::push_heap(heap.begin(), heap.end(), detail::later);
  };
  push(0);
  while (!heap.empty()) {
    const auto [bound, p] = heap.front();
    if (bound > limit) break;
    std::pop_heap(heap.begin(), heap.end(), detail::later);
    heap.pop_back();
    const Node& node = tree.nodes[p.a];
    if (node.is_leaf()) {
      limit = on_leaf(node, limit);
    } else {
      push(node.first);
      push(node.first + 1);
    }
  }
  return limit;
}

}  // namespace graze::bvh
