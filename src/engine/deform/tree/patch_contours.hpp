// SPDX-License-Identifier: MIT
#pragma once

#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::deform {

/// Sets the contours of all nodes that were not kept, are manifold oriented patches and are large enough.
void find_contours(const Topology& topology, PatchTree& tree, bool few, int threads);

}  // namespace graze::engine::deform
