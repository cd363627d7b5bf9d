// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "bvh/wide_tree.hpp"
#include "query/slabs.hpp"

namespace graze::query {

/// A body's own frame for single precision: a point x is (x - centre) * 2^-exponent there, and lies in [-1, 1]. So the
/// filters' bounds are relative to the body's box, wherever and however large it is.
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
  /// Of a mesh with the same polygons, whose vertices have moved: the boxes of the tree before are fitted to them, or,
  /// once that has made them overlap too much, the tree is built anew.
  WideTree(const Mesh& mesh, const WideTree& before, int threads);

  FloatFrame frame;
  bvh::WideTree tree;
  /// Nine floats a triangle: corners relative to the origin of the bottom node that holds it, rounded to nearest, so
  /// off by 2^-24 of the node's size, not of the body's. A node's n triangles stand together as nine rows of n: all
  /// first corners' x, then y, z, then the second corners'. Eight more at the end can be read.
  std::vector<float> corners;
  const float* row(const bvh::WideNode& bottom, int corner, int axis) const {
    return corners.data() + 9 * std::size_t{bottom.first} +
           static_cast<std::size_t>((3 * corner + axis) * bottom.count);
  }

  Slabs slabs;
  double built_cost = 0;  ///< bvh::cost when the tree was built
  bool refitted = false;

  std::uint32_t triangle(std::uint32_t item) const { return tree.items[item]; }
  std::size_t bytes() const { return tree.bytes() + corners.size() * sizeof(float) + slabs.bytes(); }

 private:
  void build(std::span<const bvh::BoxF> boxes, int threads);
  void add_triangles(const Mesh& mesh, int threads);
};

}  // namespace graze::query
