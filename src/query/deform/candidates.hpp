// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/core/counters.hpp>

#include "query/deform/dop_tree.hpp"
#include "query/deform/leaf_features.hpp"
#include "query/deform/orphans.hpp"
#include "query/deform/patches.hpp"

namespace graze::query {

struct CandidateSearch {
  const Topology& topology;
  const PatchTree& tree;
  const DopTree& dops;
  std::span<const std::uint32_t> pieces;
  bool self;             ///< pairs within one piece too
  int directions;        ///< how many of the nine are used
  bool representatives;  ///< each pair of features from one pair of triangles only
  bool orphans;          ///< adjacent triangles are left to the orphans
  bool feature_bounds;   ///< features apart by their own bounds are dropped
  float horizon = 1;     ///< contacts after this time do not matter
};

/// Feature pairs that no direction of the bounds separates at both ends.
struct FeatureCandidates {
  std::vector<FourVertices> vertex_face, edge_edge;
  Counters counters;

  void clear();
  std::size_t size() const { return vertex_face.size() + edge_edge.size(); }
};

/// Pairs of nodes of which the largest are opened a few times, so that they can be walked in parts at the same time.
/// What they are depends on the tree and the step alone, not on the number of threads.
class WalkParts {
 public:
  /// What is met on the way goes to `out`.
  void cut(const CandidateSearch& search, std::span<const PatchPair> pairs, FeatureCandidates& out);

  /// How many there are: a power of two.
  std::size_t count() const { return count_; }
  std::span<const PatchPair> operator[](std::size_t part) const;

 private:
  std::size_t count_ = 1;
  std::vector<PatchPair> opened_, next_, one_;
  LeafCache leaves_;
};

/// Pairs of nodes that a walk has still to look at, the last first.
using PairStack = std::vector<PatchPair>;
void begin_walk(std::span<const PatchPair> pairs, PairStack& stack);

/// All feature pairs below pairs of nodes; each once with representatives. One for each thread that walks.
class CandidateWalk {
 public:
  /// Forgets all leaves: the vertices have moved.
  void begin_step() { leaves_.forget(); }
  /// Stops when there are `enough`, and says whether more may come.
  bool next(const CandidateSearch& search, PairStack& stack, std::size_t enough, FeatureCandidates& out);

 private:
  LeafCache leaves_;
};

/// All of them in one list, on several threads; the order depends on the tree alone.
void find_candidates(const CandidateSearch& search, std::span<const PatchPair> pairs, int threads,
                     FeatureCandidates& out);

/// Orphans that no proved patch holds (ICCD V.F), as candidates.
void add_orphans(const CandidateSearch& search, const Orphans& orphans, std::span<const ProvedPatch> proved,
                 FeatureCandidates& out);

}  // namespace graze::query
