// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

#include "body/wide_tree.hpp"

namespace graze::body {

/// A box along the axes of a mesh, in its coordinates and in doubles.
struct NodeBox {
  Vec3 centre, half;
  double radius;  ///< of the ball around the centre that contains the box
};

/// Contains all triangles of a node, or with `child` those of this child (of a bottom node: this triangle), as given:
/// rounding is included. For bodies of any size and place.
NodeBox node_box(const WideTree& tree, const bvh::WideNode& node, int child = -1);

}  // namespace graze::body
