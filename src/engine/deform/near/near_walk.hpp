// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <graze/ask/proximity.hpp>
#include <graze/core/counters.hpp>

#include "engine/deform/filter/node_rules.hpp"
#include "engine/deform/near/closest_lanes.hpp"
#include "engine/deform/near/instant_boxes.hpp"
#include "engine/deform/near/leaf_pairs.hpp"
#include "engine/deform/near/named_pair.hpp"
#include "engine/deform/patches/patches.hpp"

namespace graze::engine::deform {

/// What a walk needs to know.
struct NearWalkQuestion {
  const Topology& topology;
  const PatchTree& tree;
  const InstantBoxes& boxes;
  std::span<const std::uint32_t> pieces;
  std::span<const Vec3> positions;  ///< as the caller gave them, for the mollifier
  const ProximityOptions& options;
  const NodeRules* rules = nullptr;  ///< which vertices may touch, or null: all
};

/// Visits pairs of nodes whose boxes are near each other, down to pairs of features, and keeps those within the
/// distance. One object for all queries: it keeps its memory.
class NearWalk {
 public:
  void run(const NearWalkQuestion& question, int threads);

  std::size_t lanes() const { return used_; }
  /// What one lane found: in which lane a pair is found, and in which order, depends on the threads.
  std::span<const NamedPair> found(std::size_t lane) const { return lanes_[lane]->found; }
  void add_counters(Counters& sum) const;
  std::size_t bytes() const;

 private:
  struct Lane {
    std::vector<PatchPair> stack;
    std::vector<NamedPair> found;
    std::vector<LeafBoxes> leaves;           ///< a cache
    std::vector<std::uint32_t> leaf_number;  ///< which leaf is in each slot
    NearCandidates candidates;
    PairBatch batch;
    std::array<std::uint8_t, PairBatch::capacity> answers;
    std::uint64_t node_pairs = 0, leaf_pairs = 0, feature_pairs = 0, exact_pairs = 0;
  };
  friend class NearVisit;

  void cut(const NearWalkQuestion& question);

  std::vector<std::unique_ptr<Lane>> lanes_;
  std::size_t used_ = 0;
  std::vector<PatchPair> parts_, next_;
};

}  // namespace graze::engine::deform
