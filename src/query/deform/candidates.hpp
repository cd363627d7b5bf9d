// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/core/counters.hpp>

#include "query/deform/dop_tree.hpp"

namespace graze::query {

/// Vertex ids of a vertex and a face, or of two edges.
using FourVertices = std::array<std::uint32_t, 4>;

struct CandidateSearch {
  const DopTree& tree;
  std::span<const std::uint8_t> representatives;
  std::span<const std::uint32_t> pieces;
  bool self;       ///< pairs within one piece too
  int directions;  ///< how many of the nine are used
};

/// Feature pairs that no direction of the bounds separates at both ends.
struct FeatureCandidates {
  std::vector<FourVertices> vertex_face, edge_edge;
  Counters counters;
};

/// All of them, each once, in an order that depends on the tree alone, for any number of threads.
FeatureCandidates find_candidates(const CandidateSearch& search, int threads);

}  // namespace graze::query
