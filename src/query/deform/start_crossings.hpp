// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <graze/query/deform.hpp>

#include "query/deform/candidates.hpp"

namespace graze::query {

/// Triangles that meet at the start of a step, as `self_collide` counts them, found with the step's own tree and
/// bounds. Keeps its memory.
class StartCrossings {
 public:
  /// `search`: which pieces; `positions` at the start. Pairs are appended in order.
  void find(const CandidateSearch& search, std::span<const Vec3> positions, int threads,
            std::vector<TrianglePair>& pairs, Counters& counters);

  /// What one thread needs.
  struct Lane {
    Lane() : bounds(slots) {}

    static constexpr std::size_t slots = 64;
    struct LeafBounds {
      std::array<Dop, patch_leaf_size> triangles;
    };
    std::vector<PatchPair> stack;
    std::array<std::uint32_t, slots> nodes;  ///< whose triangles' bounds are in the same slot of `bounds`
    std::vector<LeafBounds> bounds;
    std::vector<TrianglePair> found;
    Counters counters;
  };

 private:
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<PatchPair> parts_;
};

}  // namespace graze::query
