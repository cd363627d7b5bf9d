// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "query/distance/candidates.hpp"
#include "query/tree_frame.hpp"

namespace graze::query {

/// Two nodes and a certified lower bound of the square of their distance, in A's float frame.
struct DistancePair {
  std::uint32_t a, b;
  float squared;
};
using DistancePairs = std::pmr::vector<DistancePair>;

/// Walks the pairs on the stack (last first), nearest children first, and gives every triangle pair that could be the
/// closest to the candidates; stops when it has looked at `visits` pairs.
void traverse_distance(const DistanceQuery& query, const TreeFrame& frame, DistancePairs& stack, std::uint64_t visits,
                       Candidates& candidates);

}  // namespace graze::query
