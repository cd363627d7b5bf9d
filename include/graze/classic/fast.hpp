// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/export.hpp>

namespace graze::classic::fast {

/// The techniques of FAST (docs/methods/advancement.md), each as a switch; none changes whether an answer is certified.
struct AdvancementOptions {
  bool hierarchical = true;  ///< Algorithm 2 with 3; false: the naive Algorithm 1 over all pairs of convex pieces
  bool directed = true;      ///< the directed motion bound (eq. 5, corrected); false: the undirected one (eq. 4)
  bool front = true;         ///< start each step (and query, with coherence) from the last front (5.1)
  bool warm_start = true;    ///< start convex distance from the last features (3.3)
  bool lookup_table = true;  ///< start hill climbing from the direction table (4.2)
};

}  // namespace graze::classic::fast
