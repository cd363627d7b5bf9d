// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/core/export.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// A node of a body's tree, to look at: in pictures, and to judge how well a mesh suits the tree.
struct TreeNode {
  Box3 box;                     ///< contains all triangles below, in the body's coordinates
  std::uint32_t triangles = 0;  ///< how many are below it
  /// The normals of these triangles are within the angle, whose cosine this is, of the axis (up to rounding; triangles
  /// without area have none). -1: all directions, and there may be no axis.
  Vec3 normal_axis;
  double normal_cosine = -1;
};

/// The nodes `level` steps below the root, and those above that have no children: together they have all triangles.
/// Children of one node are beside each other. Throws `Error`: bad_option if `level` is negative, unsupported if the
/// body has no mesh (`Body::has_mesh`).
GRAZE_API std::vector<TreeNode> tree_nodes(const Body& body, int level);

}  // namespace graze
