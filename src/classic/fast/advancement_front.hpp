// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "classic/fast/advancement_distance.hpp"
#include "engine/first_contact/pair/coherence.hpp"

namespace graze::classic::fast {

/// The bounding volume traversal tree (FAST 5.1): pairs of hull nodes; the leaves are the front. It is kept from step
/// to step and, in a coherence object, from query to query.
///
/// Range. Radii, in doubles, are only compared: which of two hulls is split. A radius is positive and may be infinite;
/// it would have to be NaN for the other side to be chosen, and either choice covers the same triangles. A pair that
/// cannot be split is never expanded: one of its nodes is no leaf.
class PairTree {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Pair {
    std::uint32_t a, b;          ///< nodes of the two hull trees
    std::uint32_t child = none;  ///< its first child pair, the second is child + 1; none: on the front
    bool split_a = false;        ///< the children are those of a; otherwise of b
    double loss = 0;             ///< by how much it was nearer than its children when last measured
    ClosestFeatures features{};
  };

  void clear() {
    pairs_.clear();
    free_.clear();
  }
  std::size_t size() const { return pairs_.size() - 2 * free_.size(); }
  bool empty() const { return pairs_.empty(); }
  Pair& operator[](std::uint32_t i) { return pairs_[i]; }

  /// Starts with one pair, which has index 0.
  void start(std::uint32_t a, std::uint32_t b);
  /// Replaces the pair on the front by its children: those of the larger hull. At least one of the two is not a single
  /// triangle.
  void expand(std::uint32_t i, const HullTree& a, const HullTree& b);
  /// Puts a pair back on the front and removes everything below it.
  void cut(std::uint32_t i);
  /// Adapts a stored tree to these hull trees, whatever bodies it was built for: only the choice of the side to split
  /// is reused, and the tree is cut where there is nothing to split.
  void adopt(const HullTree& a, const HullTree& b);

 private:
  void set_children(std::uint32_t i, const HullTree& a, const HullTree& b);

  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> free_;  // first of each two adjacent unused pairs
};

/// The data that `advancement` stores in a coherence object.
struct AdvancementMemory : FirstContactMemory {
  PairTree front;
};

}  // namespace graze::classic::fast
