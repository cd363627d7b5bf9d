// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/broad/broad_phase.hpp>

namespace graze::broad {

/// Working memory of the sort, reused from call to call.
struct PairOrder {
  std::vector<std::uint32_t> first;  // by a: index of its first pair
  std::vector<BoxPair> sorted;

  /// Sorts by (a, b); all ids are below `limit`.
  void sort(std::vector<BoxPair>& pairs, std::uint32_t limit);
  std::size_t bytes() const { return first.capacity() * sizeof(std::uint32_t) + sorted.capacity() * sizeof(BoxPair); }
};

}  // namespace graze::broad
