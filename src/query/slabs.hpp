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

/// The slabs of all nodes of a tree but the root. A node's children are neighbours, so their slabs are too.
class Slabs {
 public:
  Slabs() = default;
  /// `corners` as in query::WideTree.
  Slabs(const bvh::WideTree& tree, std::span<const float> corners);

  /// Those of the children of an inner node.
  SlabView of(const bvh::WideNode& inner) const {
    return {{m_[0].data() + inner.first, m_[1].data() + inner.first, m_[2].data() + inner.first},
            lo_.data() + inner.first,
            hi_.data() + inner.first};
  }
  /// That of one node; of the root a direction of length 0, which says nothing.
  SlabView of_node(std::uint32_t node) const {
    return {{m_[0].data() + node, m_[1].data() + node, m_[2].data() + node}, lo_.data() + node, hi_.data() + node};
  }
  std::size_t bytes() const { return 5 * lo_.size() * sizeof(float); }

 private:
  std::array<std::vector<float>, 3> m_;
  std::vector<float> lo_, hi_;
};

}  // namespace graze::query
