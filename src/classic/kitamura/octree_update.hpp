// SPDX-License-Identifier: MIT
#pragma once

#include "classic/kitamura/method.hpp"

namespace graze::classic::kitamura {

/// Kitamura 5.2, for comparison: complete, precomputed face octrees of the bodies; the black nodes that reach an
/// overlap region, placed like the body, are passed down the world's octree instead of faces; each unique pair of faces
/// of nodes in one cell is tested exactly. With `coherence` the octree of a body that stays rigid (whose positions are
/// the mesh's own) is built once. A deforming body needs a new octree for every call, which is Kitamura's argument in
/// 2.2.1 against precomputed structures.
struct OctreeUpdate {
  static constexpr InterferenceTraits traits{.name = "octree_update",
                                             .summary = "precomputed face octrees, placed anew (Kitamura 5.2)"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::classic::kitamura
