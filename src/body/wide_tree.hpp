// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <graze/mesh/mesh.hpp>

#include "body/slabs.hpp"
#include "bvh/wide_tree.hpp"
#include "core/large_memory.hpp"

namespace graze::body {

/// A body's own frame for single precision: a point x has the coordinates (x - centre) * 2^-exponent there, and lies in
/// [-1, 1]. So the filters' bounds are relative to the body's box, at any position and size.
struct FloatFrame {
  explicit FloatFrame(const Box3& box);

  Vec3 centre;
  int exponent = 0;

  /// The coordinates before rounding to float; their error is below 2^-50.
  Vec3 to_frame(const Vec3& x) const;
};

/// The tree of a body and its triangles in single precision.
struct WideTree {
  WideTree(const Mesh& mesh, int threads);
  /// For a mesh with the same polygons whose vertices have moved: refits the boxes of the previous tree, or rebuilds
  /// the tree once refitting has made the boxes overlap too much.
  WideTree(const Mesh& mesh, const WideTree& before, int threads);

  FloatFrame frame;
  bvh::WideTreeView tree;
  /// Nine floats per triangle: corners relative to the origin of the bottom node that contains it, rounded to nearest,
  /// so the error is 2^-24 of the node's size, not of the body's. A node's n triangles are stored together as nine rows
  /// of n: the x of all first corners, then y, z, then the second corners'. Eight more floats past the end are
  /// readable.
  std::span<const float> corners;
  const float* row(const bvh::WideNode& bottom, int corner, int axis) const {
    return corners.data() + 9 * std::size_t{bottom.first} +
           static_cast<std::size_t>((3 * corner + axis) * bottom.count);
  }

  Slabs slabs;
  double built_cost = 0;  ///< bvh::cost when the tree was built
  bool refitted = false;

  std::uint32_t triangle(std::uint32_t item) const { return tree.items[item]; }
  std::size_t bytes() const { return memory_.bytes(); }

 private:
  bvh::WideTree built(std::span<const bvh::BoxF> boxes, int threads);
  /// Stores the tree together with the mesh's triangles.
  void keep(const bvh::WideTree& wide, const Mesh& mesh, int threads);

  core::LargeMemory memory_;  ///< nodes, slabs, corners and items, in the order of how much traversals need them
};

}  // namespace graze::body
