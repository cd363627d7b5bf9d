// SPDX-License-Identifier: MIT
#include "engine/deform/tree/tree_branches.hpp"

#include <algorithm>

namespace graze::engine::deform {

std::size_t PatchTree::bytes() const {
  return nodes.size() * sizeof(PatchNode) +
         (items.size() + position.size() + contours.size() + parts.size()) * sizeof(std::uint32_t);
}

/// Children are laid out in pairs, and the whole subtree of the left one before that of the right one (`Layout`).
std::uint32_t end_of_branch(const PatchTree& tree, std::uint32_t root) {
  std::uint32_t end = root;
  for (const PatchNode* n = &tree.nodes[root]; !n->is_leaf();) {
    end = n->child + 2;
    const PatchNode &left = tree.nodes[n->child], &right = tree.nodes[n->child + 1];
    n = right.is_leaf() ? &left : &right;
  }
  return end;
}

namespace {

/// Smaller branches are not worth a thread.
constexpr std::uint32_t least_branch = 512;

}  // namespace

void PatchTree::cut() {
  branches.clear();
  above.clear();
  branch_size = std::max(least_branch, static_cast<std::uint32_t>(items.size() / 64));
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const std::uint32_t i = stack.back();
    stack.pop_back();
    const PatchNode& n = nodes[i];
    if (is_branch(n)) {
      branches.push_back({i, n.is_leaf() ? i : n.child, end_of_branch(*this, i)});
    } else {
      above.push_back(i);
      stack.push_back(n.child + 1);
      stack.push_back(n.child);
    }
  }
}

}  // namespace graze::engine::deform
