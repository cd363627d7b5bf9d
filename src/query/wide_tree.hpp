// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "bvh/wide_tree.hpp"

namespace graze::query {

/// A body's own frame for single precision: a point x is (x - centre) * 2^-exponent there, and lies in [-1, 1]. So the filters' bounds are
/// relative to the body's box, wherever and however large it is.
struct FloatFrame {
  explicit FloatFrame(const Box3& box);

  Vec3 centre;
  int exponent = 0;

  /// The coordinates before they are rounded to float, off by less than 2^-50.
  Vec3 to_frame(const Vec3& x) const;
};

/// The tree of a body with its triangles beside it in single precision.
struct WideTree {
  WideTree(const Mesh& mesh, int threads);

  FloatFrame frame;
  bvh::WideTree tree;
  /// Nine floats a triangle, in the order of tree.items: corners relative to the origin of the bottom node that holds it, rounded to nearest. So they are
  /// off by 2^-24 of the node's size, not of the body's.
  std::vector<float> corners;

  std::uint32_t triangle(std::uint32_t item) const { return tree.items[item]; }
  std::size_t bytes() const { return tree.bytes() + corners.size() * sizeof(float); }
};

}  // namespace graze::query
