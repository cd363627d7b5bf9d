// SPDX-License-Identifier: MIT
#pragma once

#include "query/interference/method.hpp"

namespace graze::query {

/// Kitamura 5.2, for comparison: complete face octrees of the bodies, precomputed; the black nodes that reach an
/// overlap region, placed as the body is, are passed down the world's octree instead of faces; each unique pair of
/// faces of nodes in one cell is tested exactly. With `coherence` the octree of a body that stays rigid (whose
/// positions are the mesh's own) is made once. One that deforms needs a new one for every call, which is what
/// Kitamura 2.2.1 holds against precomputed structures.
struct OctreeUpdate {
  static constexpr InterferenceTraits traits{.name = "octree_update",
                                             .summary = "precomputed face octrees, placed anew (Kitamura 5.2)"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::query
