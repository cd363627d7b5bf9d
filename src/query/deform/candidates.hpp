// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/core/counters.hpp>

#include "query/deform/dop_tree.hpp"
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

/// All feature pairs below pairs of nodes; each once with representatives. The order depends on the tree alone, for any
/// number of threads.
class CandidateFinder {
 public:
  void run(const CandidateSearch& search, std::span<const NodePair> pairs, int threads, FeatureCandidates& out);
  /// The same in portions: `next` stops when there are enough, and says whether more may come.
  void begin(std::span<const NodePair> pairs);
  bool next(const CandidateSearch& search, std::size_t enough, FeatureCandidates& out);
  /// Orphans that no proved patch holds (ICCD V.F), as candidates.
  void add_orphans(const CandidateSearch& search, const Orphans& orphans, std::span<const ProvedPatch> proved,
                   FeatureCandidates& out);

 private:
  std::vector<NodePair> stack_;
  std::vector<FeatureCandidates> parts_;
};

}  // namespace graze::query
