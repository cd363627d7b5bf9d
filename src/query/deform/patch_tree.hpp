// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/tree.hpp"
#include "core/large_memory.hpp"
#include "query/deform/topology.hpp"

namespace graze::query {

class DopTree;

struct PatchNode {
  std::uint32_t child = 0;           ///< the left one; the right one is the next; 0: a leaf
  std::uint32_t begin = 0, end = 0;  ///< of `items`
  std::uint32_t contour_begin = 0;   ///< of `contours`
  std::uint32_t contour_size = 0;    ///< 0: not a patch that can be certified
  float culling = 0;                 ///< of the upper level: how well it culled when made (VI.B)
  bool several = false;              ///< of the upper level: several parts of the mesh
  bool kept = false;                 ///< taken over from the tree before a break
  bool is_leaf() const { return child == 0; }
  std::uint32_t size() const { return end - begin; }
};

/// A node with all that is below it, which stands together.
struct TreeBranch {
  std::uint32_t root;
  std::uint32_t first, last;  ///< the nodes below the root: from `first` to before `last`
};

/// ICCD's two levels in one array (VI): below, for each part of the mesh that hangs together by edges, a tree joined
/// along connectivity, so that the triangles of a node hang together; above them a tree over those parts. Node 0 is the
/// root, children stand after their parents.
struct PatchTree {
  core::LargeVector<PatchNode> nodes;
  core::LargeVector<std::uint32_t> items;     ///< triangles, leaf by leaf
  core::LargeVector<std::uint32_t> position;  ///< of each triangle in `items`
  /// Steps 3 t + k (edge k of triangle t) that bound a patch, patch by patch.
  core::LargeVector<std::uint32_t> contours;
  /// Each part of the mesh, by its node, in order of `items`: the leaves of the upper tree.
  std::vector<std::uint32_t> parts;
  /// The tree cut into branches that can be worked on at the same time, from the left to the right, and the nodes above
  /// them, parents first. Where it is cut depends on the tree alone, not on the number of threads.
  std::vector<TreeBranch> branches;
  std::vector<std::uint32_t> above;
  std::uint32_t branch_size = 0;  ///< most triangles of a branch

  void cut();
  bool is_branch(const PatchNode& n) const { return n.is_leaf() || n.size() <= branch_size; }
  std::size_t bytes() const;
};

constexpr std::uint32_t patch_leaf_size = 8;
/// Patches with fewer triangles are not worth a contour.
constexpr std::uint32_t patch_least_size = 16;

/// `boxes`: of the triangles.
PatchTree build_patch_tree(const Topology& topology, std::span<const bvh::BoxF> boxes, int threads);

/// The tree after a break, or after parts have moved apart: what holds no touched triangle is kept as it was, the rest
/// joined anew along connectivity. Above, nodes are kept that hold only untouched parts and cull at least half as well
/// as when made; if there are few parts, all of it is built again (ICCD VI.B).
PatchTree mend_patch_tree(const PatchTree& old, const Topology& topology, const std::vector<bool>& touched,
                          std::span<const bvh::BoxF> boxes, int threads);

/// Have parts moved so that a node of the upper level culls much worse than when it was made?
bool upper_level_is_worn(const PatchTree& tree, const DopTree& dops);

}  // namespace graze::query
