// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/wide_tree.hpp"

namespace graze::body {

/// For each child of an inner node: a direction close to the normals of its surface patch, and a range along it that
/// contains all its corners. A surface patch is thin in that direction even where its axis-aligned box is not, so the
/// slab separates it from nearby geometry. Eight values can be read from each pointer.
struct SlabView {
  std::array<const float*, 3> m;
  const float *lo, *hi;
};

/// The slabs of all nodes of a tree except the root.
class Slabs {
 public:
  Slabs() = default;
  /// Rows in the layout that `make` returns; the caller owns them.
  explicit Slabs(const float* rows) : rows_(rows) {}
  /// `corners` as in WideTree.
  static std::vector<float> make(const bvh::WideTree& tree, std::span<const float> corners);

  /// The slabs of the children of an inner node.
  SlabView of(const bvh::WideNode& inner) const { return view(5 * std::size_t{inner.first}, inner.count); }
  /// The slab of one node; for the root the direction has length 0, which proves nothing.
  SlabView of_node(const bvh::WideNode& node, std::uint32_t index) const {
    return view(5 * std::size_t{index - node.slot} + node.slot, node.siblings);
  }

 private:
  SlabView view(std::size_t at, std::size_t n) const {
    const float* p = rows_ + at;
    return {{p, p + n, p + 2 * n}, p + 3 * n, p + 4 * n};
  }

  // The slabs of a node's n children are stored together as five rows of n: the x of all directions, then y, z, lo, hi.
  // One query reads all of them, so they are adjacent in memory.
  const float* rows_ = nullptr;
};

}  // namespace graze::body
