// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "query/first_contact/advancement_distance.hpp"
#include "query/first_contact/coherence.hpp"

namespace graze::query {

/// The bounding volume traversal tree (FAST 5.1): pairs of hull nodes; the leaves are the front. It is kept from step
/// to step and, in a coherence object, from query to query.
class PairTree {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Pair {
    std::uint32_t a, b;          ///< nodes of the two hull trees
    std::uint32_t child = none;  ///< its first child pair, the other is child + 1; none: on the front
    bool split_a = false;        ///< the children are those of a; else of b
    float loss = 0;              ///< how much nearer than its children it was when last measured
    ClosestFeatures features{};
  };

  void clear() {
    pairs_.clear();
    free_.clear();
  }
  std::size_t size() const { return pairs_.size() - 2 * free_.size(); }
  bool empty() const { return pairs_.empty(); }
  Pair& operator[](std::uint32_t i) { return pairs_[i]; }

  /// Starts with one pair, which gets the number 0.
  void start(std::uint32_t a, std::uint32_t b);
  /// Puts the pair's children onto the front in its place: those of the larger hull. Not both are single triangles.
  void expand(std::uint32_t i, const HullTree& a, const HullTree& b);
  /// Takes a pair onto the front again, and what is below it off it.
  void cut(std::uint32_t i);
  /// Makes a tree that was remembered one of these hull trees, whatever it was made of: only which side is split where
  /// is believed, and cut off where there is nothing to split.
  void adopt(const HullTree& a, const HullTree& b);

 private:
  void set_children(std::uint32_t i, const HullTree& a, const HullTree& b);

  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> free_;  // first of two adjacent pairs that are not in use
};

/// What `advancement` keeps in a coherence object.
struct AdvancementMemory : FirstContactMemory {
  PairTree front;
};

}  // namespace graze::query
