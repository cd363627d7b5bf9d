// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/wide_tree.hpp"

namespace graze::query {

/// For each child of an inner node: a direction close to its surface's normals, and a range along it that holds all its
/// corners. A patch of a surface is flat in that direction where its upright box is not: there it parts from what is
/// close to it. Eight values can be read from each pointer.
struct SlabView {
  std::array<const float*, 3> m;
  const float *lo, *hi;
};

/// The slabs of all nodes of a tree but the root.
class Slabs {
 public:
  Slabs() = default;
  /// Rows as `make` makes them, which somebody else keeps.
  explicit Slabs(const float* rows) : rows_(rows) {}
  /// `corners` as in query::WideTree.
  static std::vector<float> make(const bvh::WideTree& tree, std::span<const float> corners);

  /// Those of the children of an inner node.
  SlabView of(const bvh::WideNode& inner) const { return view(5 * std::size_t{inner.first}, inner.count); }
  /// That of one node; of the root a direction of length 0, which says nothing.
  SlabView of_node(const bvh::WideNode& node, std::uint32_t index) const {
    return view(5 * std::size_t{index - node.slot} + node.slot, node.siblings);
  }

 private:
  SlabView view(std::size_t at, std::size_t n) const {
    const float* p = rows_ + at;
    return {{p, p + n, p + 2 * n}, p + 3 * n, p + 4 * n};
  }

  // A node's n children stand together as five rows of n: all directions' x, then y, z, lo, hi. One query reads them
  // all, so they should be neighbours in memory.
  const float* rows_ = nullptr;
};

}  // namespace graze::query
