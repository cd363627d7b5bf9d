// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bvh/tree.hpp"

namespace graze::bvh {

/// How well each inner node culled when it was made, to compare with after refits: the expected number of its two
/// children that a query which reaches the node does *not* enter, 2 - (area(left) + area(right)) / area(node). Areas
/// rather than ICCD's volumes (VI.B), because the volume of a flat piece of cloth is zero whatever its split is like.
struct Quality {
  std::vector<float> culling;  ///< by node; 0 for leaves
};
Quality quality(const Tree& tree);

struct RestructureOptions {
  float loss = 2.0f;  ///< a subtree is rebuilt if its root culls less than its old figure divided by this
  std::uint32_t max_leaf_size = 4;
  int threads = 1;
};

struct RestructureCount {
  std::size_t subtrees = 0;  ///< rebuilt
  std::size_t items = 0;     ///< in them
};

/// Selective restructuring, after a refit: rebuilds the topmost subtrees whose roots have come to cull badly, and
/// leaves the rest of the tree as it is. `baseline` belongs to the tree before the refits and is brought up to date.
/// Node numbers change; the ranges of items below nodes that were kept do not.
RestructureCount restructure(Tree& tree, Quality& baseline, std::span<const BoxF> boxes,
                             const RestructureOptions& options = {});

}  // namespace graze::bvh
