// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "body/tree_frame.hpp"
#include "core/arena.hpp"
#include "engine/distance/candidates.hpp"

namespace graze::engine::distance {

/// Two nodes and a certified lower bound of their squared distance, in A's float frame.
struct DistancePair {
  std::uint32_t a, b;
  float squared;
};
using DistancePairs = core::ArenaVector<DistancePair>;

/// Traverses the pairs on the stack (last first), nearest children first, and passes every triangle pair that could be
/// the closest to the candidates; stops after visiting `visits` pairs.
void traverse_distance(const DistanceQuery& query, const body::TreeFrame& frame, DistancePairs& stack,
                       std::uint64_t visits, Candidates& candidates);

}  // namespace graze::engine::distance
