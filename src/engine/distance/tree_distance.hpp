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

/// The way that B may be moved by, to either side (`Candidates::sweep`), in the float frame. Without one all is 0.
///
/// Along a direction n of length one, moving a body by s times a vector w, -1 <= s <= 1, adds |n . w| to either end of
/// its range. So every bound of a gap along n becomes one that holds wherever B is on the way, if |n . w| is taken
/// from it, or is added to the half widths of B's boxes along their axes.
struct Sweep {
  Sweep() = default;
  Sweep(const body::TreeFrame& frame, const Vec3& way, int exponent);

  float way[3] = {};                       ///< along A's axes, rounded
  float reach_a[3] = {}, reach_b[3] = {};  ///< no less than its size along the axes of A and of B
  float slack = 0;                         ///< for the roundings of `way` and of its products with any direction
};

/// Traverses the pairs on the stack (last first), nearest children first, and passes every triangle pair that could be
/// the closest to the candidates; stops after visiting `visits` pairs.
void traverse_distance(const DistanceQuery& query, const body::TreeFrame& frame, DistancePairs& stack,
                       std::uint64_t visits, Candidates& candidates);

}  // namespace graze::engine::distance
