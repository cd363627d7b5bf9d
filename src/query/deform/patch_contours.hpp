// SPDX-License-Identifier: MIT
#pragma once

#include "query/deform/patch_tree.hpp"

namespace graze::query {

/// Sets the contours of all nodes that were not kept and are manifold oriented patches of some size.
void find_contours(const Topology& topology, PatchTree& tree, int threads);

}  // namespace graze::query
