// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>

#include "engine/deform/walk/candidates.hpp"

namespace graze::engine::deform {

/// Triangle pairs that intersect at the start of a step, by the rules of `self_collide`, found with the step's own tree
/// and bounds; and loose edges that intersect triangles, by the same rules for the triangles that stand for them (see
/// `Topology`). Reuses its memory.
class StartCrossings {
 public:
  /// `search`: which components; `positions` at the start. Afterwards `pairs` has them in order.
  void find(const CandidateSearch& search, std::span<const Vec3> positions, int threads, Counters& counters);

  void clear() {
    pairs.clear();
    crossing.clear();
  }

  std::vector<TrianglePair> pairs;
  std::vector<bool>
      crossing;  ///< by pair: it crosses, and does not only touch; also two triangles with the same vertices

  /// Per-thread data.
  struct Lane {
    Lane() : bounds(slots) {}

    static constexpr std::size_t slots = 64;
    struct LeafBounds {
      std::array<Dop, patch_leaf_size> triangles;
    };
    std::vector<PatchPair> stack;
    std::array<std::uint32_t, slots> nodes;  ///< nodes whose triangles' bounds are in the same slot of `bounds`
    std::vector<LeafBounds> bounds;
    struct Meeting {
      TrianglePair triangles;
      bool crossing;
    };
    std::vector<Meeting> found;
    Counters counters;
  };

 private:
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<PatchPair> parts_;
  std::vector<Lane::Meeting> all_;
};

}  // namespace graze::engine::deform
