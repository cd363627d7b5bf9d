// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "bvh/traverse.hpp"

namespace graze::bvh {

/// What a front must know about a tree beyond its nodes. Stays valid through refits, not through restructuring.
struct Ancestry {
  std::vector<std::uint32_t> parent;  ///< of the root: itself
  std::vector<float> weight;          ///< a node's surface when this was made: the heavier node of a pair is opened
};
Ancestry ancestry(const Tree& tree);

/// A tree as one side of a front; both must outlive the call.
struct FrontSide {
  const Tree& tree;
  const Ancestry& ancestry;

  bool is_leaf(std::uint32_t n) const { return tree.nodes[n].is_leaf(); }
};

/// The front of a two-tree traversal (FAST 5.1): the node pairs at which it stopped, because they were apart or because
/// both were leaves. The next traversal, after a small motion, starts there instead of at the roots. Which node of a
/// pair is opened depends on weights fixed in advance, not on the motion, so the pair above a pair is known without
/// being stored.
class Front {
 public:
  explicit Front(std::size_t max_pairs = std::size_t{1} << 20) : max_pairs_(max_pairs) {}

  struct Counters {
    std::size_t tests = 0;    ///< pairs asked about
    std::size_t sprouts = 0;  ///< pairs of the old front that had to be opened
    std::size_t prunes = 0;   ///< pairs replaced by the pair above them
    bool dropped = false;     ///< the front grew beyond its cap: the next traversal starts at the roots
  };

  /// As `traverse_pairs`, same pairs of leaves in the same order, whatever the front holds from earlier calls.
  /// `enter(a, b)` must be monotone: if it says no to a pair, then also to all pairs below.
  template <class Enter, class OnLeaves>
  Visit traverse(const FrontSide& a, const FrontSide& b, Enter&& enter, OnLeaves&& on_leaves);

  /// Forgets everything: after a change of either tree or its ancestry, or when the front does not pay.
  void reset() { pairs_.clear(); }
  std::size_t size() const { return pairs_.size(); }
  std::size_t bytes() const { return (pairs_.capacity() + next_.capacity()) * sizeof(Entry); }
  const Counters& counters() const { return counters_; }

 private:
  struct Entry {
    NodePair pair;
    bool apart;
  };
  struct Above {
    NodePair pair;
    bool exists;
  };

  /// Ancestors of a and b were opened heaviest first, so the last one opened is the lighter of the two parents.
  static Above above(const FrontSide& a, const FrontSide& b, const NodePair& p) {
    if (p.a == 0 && p.b == 0) return {p, false};
    const std::uint32_t up_a = a.ancestry.parent[p.a], up_b = b.ancestry.parent[p.b];
    if (p.b == 0 || (p.a != 0 && a.ancestry.weight[up_a] < b.ancestry.weight[up_b])) return {{up_a, p.b}, true};
    return {{p.a, up_b}, true};
  }
  static bool opens_a(const FrontSide& a, const FrontSide& b, const NodePair& p) {
    return b.is_leaf(p.b) || (!a.is_leaf(p.a) && a.ancestry.weight[p.a] >= b.ancestry.weight[p.b]);
  }

  void record(const NodePair& p, bool apart) {
    if (next_.size() >= max_pairs_) counters_.dropped = true;
    if (!counters_.dropped) next_.push_back({p, apart});
  }
  template <class Enter>
  void prune(const FrontSide& a, const FrontSide& b, Enter& enter);
  template <class Enter, class OnLeaves>
  Visit descend(const FrontSide& a, const FrontSide& b, const NodePair& from, Enter& enter, OnLeaves& on_leaves);

  std::size_t max_pairs_;
  std::vector<Entry> pairs_;  // in depth-first order
  std::vector<Entry> next_;
  Counters counters_;
};

/// While the last two pairs are siblings and apart, they stand for the pair above them if that is apart too.
template <class Enter>
void Front::prune(const FrontSide& a, const FrontSide& b, Enter& enter) {
  while (next_.size() >= 2) {
    const Entry& left = next_[next_.size() - 2];
    const Entry& right = next_.back();
    if (!left.apart || !right.apart) return;
    const Above up = above(a, b, right.pair);
    if (!up.exists || above(a, b, left.pair).pair != up.pair) return;
    ++counters_.tests;
    if (enter(a.tree.nodes[up.pair.a], b.tree.nodes[up.pair.b])) return;
    next_.pop_back();
    next_.back() = {up.pair, true};
    ++counters_.prunes;
  }
}

template <class Enter, class OnLeaves>
Visit Front::descend(const FrontSide& a, const FrontSide& b, const NodePair& from, Enter& enter, OnLeaves& on_leaves) {
  NodePair stack[2 * max_depth + 2];
  int size = 0;
  stack[size++] = from;
  Visit state = Visit::proceed;
  while (size > 0) {
    const NodePair p = stack[--size];
    if (state == Visit::stop) {  // nothing is asked any more, but the front must still cover everything
      record(p, false);
      continue;
    }
    const Node& na = a.tree.nodes[p.a];
    const Node& nb = b.tree.nodes[p.b];
    ++counters_.tests;
    if (!enter(na, nb)) {
      record(p, true);
    } else if (na.is_leaf() && nb.is_leaf()) {
      record(p, false);
      state = on_leaves(na, nb);
    } else if (opens_a(a, b, p)) {
      stack[size++] = {na.first + 1, p.b};
      stack[size++] = {na.first, p.b};
    } else {
      stack[size++] = {p.a, nb.first + 1};
      stack[size++] = {p.a, nb.first};
    }
  }
  return state;
}

template <class Enter, class OnLeaves>
Visit Front::traverse(const FrontSide& a, const FrontSide& b, Enter&& enter, OnLeaves&& on_leaves) {
  counters_ = {};
  if (a.tree.nodes.empty() || b.tree.nodes.empty()) return Visit::proceed;
  if (pairs_.empty()) pairs_.push_back({{0, 0}, false});
  next_.clear();
  Visit state = Visit::proceed;
  for (const Entry& old : pairs_) {
    if (state == Visit::stop) {
      record(old.pair, false);
      continue;
    }
    const std::size_t before = next_.size();
    state = descend(a, b, old.pair, enter, on_leaves);
    if (next_.size() == before + 1 && next_.back().apart && state == Visit::proceed) {
      prune(a, b, enter);
    } else if (next_.size() > before + 1) {
      ++counters_.sprouts;
    }
  }
  if (counters_.dropped) next_.clear();
  std::swap(pairs_, next_);
  return state;
}

}  // namespace graze::bvh
