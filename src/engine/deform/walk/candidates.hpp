// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/core/method_counters.hpp>

#include "engine/deform/patches/patches.hpp"
#include "engine/deform/topology/orphans.hpp"
#include "engine/deform/tree/dop_tree.hpp"
#include "engine/deform/tree/leaf_features.hpp"
#include "engine/deform/walk/fan_bounds.hpp"

namespace graze::engine::deform {

struct CandidateSearch {
  const Topology& topology;
  const PatchTree& tree;
  const DopTree& dops;
  std::span<const std::uint32_t> pieces;
  bool self;                         ///< also pairs within one connected component
  int directions;                    ///< how many of the nine are used
  bool representatives;              ///< each pair of features from its representative pair of triangles only
  bool orphans;                      ///< adjacent triangles are covered by the orphans
  bool feature_bounds;               ///< features separated by their own bounds are dropped
  float horizon = 1;                 ///< contacts after this time are ignored
  const FanBounds* fans = nullptr;   ///< further bounds, or null
  const NodeRules* rules = nullptr;  ///< which vertices may touch, or null: all
  float more_slack = 0;              ///< half of a margin in addition to that of the bounds, in their unit
};

/// Feature pairs that no direction of the bounds separates at both ends.
struct FeatureCandidates {
  std::vector<FourVertices> vertex_face, edge_edge;
  AllCounters counters;

  void clear();
  std::size_t size() const { return vertex_face.size() + edge_edge.size(); }
};

/// Pairs of nodes, the largest of which are expanded a few times, so that parts can be traversed in parallel. The
/// result depends on the tree and the step alone, not on the number of threads.
class WalkParts {
 public:
  /// Candidates found on the way are added to `out`.
  void cut(const CandidateSearch& search, std::span<const PatchPair> pairs, FeatureCandidates& out);

  /// The number of parts, a power of two.
  std::size_t count() const { return count_; }
  std::span<const PatchPair> operator[](std::size_t part) const;

 private:
  std::size_t count_ = 1;
  std::vector<PatchPair> opened_, next_, one_;
  LeafCache leaves_;
};

/// Pairs of nodes that a traversal has still to visit, the last first.
using PairStack = std::vector<PatchPair>;
void begin_walk(std::span<const PatchPair> pairs, PairStack& stack);

/// Enumerates all feature pairs below pairs of nodes; with representatives, each once. One object per thread.
class CandidateWalk {
 public:
  /// Clears the leaf cache: the vertices have moved.
  void begin_step() { leaves_.forget(); }
  /// Stops when `enough` are found. Returns whether more may follow.
  bool next(const CandidateSearch& search, PairStack& stack, std::size_t enough, FeatureCandidates& out);

 private:
  LeafCache leaves_;
};

/// Collects all candidates in one list, with several threads. The order depends on the tree alone.
void find_candidates(const CandidateSearch& search, std::span<const PatchPair> pairs, int threads,
                     FeatureCandidates& out);

/// Adds the orphans that are not in a proved patch (ICCD V.F) as candidates.
void add_orphans(const CandidateSearch& search, const Orphans& orphans, std::span<const ProvedPatch> proved,
                 FeatureCandidates& out);

}  // namespace graze::engine::deform
