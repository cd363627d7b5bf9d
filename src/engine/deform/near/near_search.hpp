// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <graze/ask/proximity.hpp>

#include "engine/deform/near/instant_boxes.hpp"
#include "engine/deform/near/named_pair.hpp"
#include "engine/deform/near/near_walk.hpp"

namespace graze::engine::deform {

/// Finds all pairs of features within a distance at one instant. Keeps its memory from query to query.
class NearSearch {
 public:
  struct Question {
    const Topology& topology;
    const PatchTree& tree;
    std::span<const std::uint32_t> pieces;
    std::span<const Vec3> positions;
    double distance;
    const ProximityOptions& options;
    int threads;
    const NodeRules* rules = nullptr;  ///< which vertices may touch, or null: all
  };
  /// Replaces the pairs and adds to the counters.
  void find(const Question& question, ProximityResult& result);
  std::size_t bytes() const;

 private:
  void merge(const Question& question);
  void measure(const Question& question, std::vector<ProximityPair>& pairs);

  InstantBoxes boxes_;
  NearWalk walk_;
  // Found pairs by group and first vertex: the start of each bucket, then the pairs themselves.
  std::vector<std::uint32_t> first_;
  std::vector<NamedPair> sorted_;
  std::vector<std::uint32_t> distinct_;  ///< the first of equal pairs in `sorted_`
};

}  // namespace graze::engine::deform
