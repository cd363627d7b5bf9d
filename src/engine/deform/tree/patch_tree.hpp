// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/tree.hpp"
#include "core/large_memory.hpp"
#include "engine/deform/topology/topology.hpp"

namespace graze::engine::deform {

class DopTree;
class TriangleBoxes;

struct PatchNode {
  std::uint32_t child = 0;           ///< the left child; the right one is the next; 0: a leaf
  std::uint32_t begin = 0, end = 0;  ///< range in `items`
  std::uint32_t contour_begin = 0;   ///< start in `contours`
  std::uint32_t contour_size = 0;    ///< 0: not a patch that can be certified
  float culling = 0;                 ///< in the upper level: the culling metric at construction (VI.B)
  bool several = false;              ///< in the upper level: contains several parts of the mesh
  bool kept = false;                 ///< taken from the tree before a break
  bool is_leaf() const { return child == 0; }
  std::uint32_t size() const { return end - begin; }
};

/// A node with its subtree, which is contiguous.
struct TreeBranch {
  std::uint32_t root;
  std::uint32_t first, last;  ///< the nodes below the root: from `first` to before `last`
};

/// ICCD's two levels in one array (VI). Below: for each part of the mesh that is connected by edges, a tree joined
/// along connectivity, so that the triangles of a node are connected. Above: a tree over those parts. Node 0 is the
/// root. Children come after their parents.
///
/// Range. Of floats there are only boxes of triangles (`sweep_boxes`, below 2^25) and nodes, which are united by `min`
/// and `max` of finite numbers, and the culling metric (culling.hpp: from 0 to 2, never NaN). They choose which patches
/// are joined and which parts of a tree are built again. The tree itself holds triangles, whatever was chosen: each
/// once, because every join is of two different roots. So nothing that overflows, underflows or is NaN loses an answer.
struct PatchTree {
  core::LargeVector<PatchNode> nodes;
  core::LargeVector<std::uint32_t> items;     ///< triangles, leaf by leaf
  core::LargeVector<std::uint32_t> position;  ///< by triangle: its position in `items`
  /// Steps 3 t + k (edge k of triangle t) that bound a patch, patch by patch.
  core::LargeVector<std::uint32_t> contours;
  /// The root node of each part of the mesh, in order of `items`: the leaves of the upper tree.
  std::vector<std::uint32_t> parts;
  /// The tree cut into branches for parallel work, from left to right, and the nodes above them, parents first. The cut
  /// depends on the tree alone, not on the number of threads.
  std::vector<TreeBranch> branches;
  std::vector<std::uint32_t> above;
  std::uint32_t branch_size = 0;  ///< largest number of triangles of a branch

  void cut();
  bool is_branch(const PatchNode& n) const { return n.is_leaf() || n.size() <= branch_size; }
  std::size_t bytes() const;
};

constexpr std::uint32_t patch_leaf_size = 8;
/// Smaller patches are not worth a contour.
constexpr std::uint32_t patch_least_size = 16;

/// `boxes`: the boxes of the triangles.
PatchTree build_patch_tree(const Topology& topology, std::span<const bvh::BoxF> boxes, int threads);

/// The tree after a break, or after parts have moved apart. Subtrees without touched triangles are kept, the rest is
/// joined again along connectivity. In the upper level, nodes are kept that contain only untouched parts and cull at
/// least half as well as at construction. With few parts, the whole upper level is rebuilt (ICCD VI.B).
PatchTree repair_patch_tree(const PatchTree& old, const Topology& topology, const Touched& touched,
                            const TriangleBoxes& boxes, int threads);

/// Have parts moved so that a node of the upper level culls much worse than at construction?
bool upper_level_is_worn(const PatchTree& tree, const DopTree& dops);

}  // namespace graze::engine::deform
