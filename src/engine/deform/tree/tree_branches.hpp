// SPDX-License-Identifier: MIT
#pragma once

#include "core/chunks.hpp"
#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::deform {

/// The index after the last node below a node.
std::uint32_t end_of_branch(const PatchTree& tree, std::uint32_t root);

/// Calls `visit(i)` for every node of a branch, children before their parents.
template <class Visit>
void bottom_up(const TreeBranch& branch, Visit&& visit) {
  for (std::uint32_t i = branch.last; i-- > branch.first;) visit(i);
  visit(branch.root);
}

/// The same for every node of a tree, with the branches in parallel.
template <class Visit>
void bottom_up(const PatchTree& tree, int threads, Visit&& visit) {
  core::parallel_for(tree.branches.size(), threads, [&](std::size_t b) { bottom_up(tree.branches[b], visit); });
  for (std::size_t k = tree.above.size(); k-- > 0;) visit(tree.above[k]);
}

}  // namespace graze::engine::deform
