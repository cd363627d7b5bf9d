// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "query/wide_tree.hpp"

namespace graze::query {

/// For the children of one inner node: a direction close to their surfaces' normals and the range of all their corners along it. A patch of a surface is flat in
/// that direction where its upright box is not, and distances are decided there.
struct alignas(32) SlabNode {
  float m[3][8];
  float lo[8], hi[8];
};

/// Slabs of all inner nodes of a tree, made when a body is first asked for a distance.
class Slabs {
 public:
  explicit Slabs(const WideTree& tree);

  const SlabNode& of(std::uint32_t inner_node) const { return slabs_[index_[inner_node]]; }
  std::size_t bytes() const { return slabs_.size() * sizeof(SlabNode) + index_.size() * sizeof(std::uint32_t); }

 private:
  std::vector<SlabNode> slabs_;
  std::vector<std::uint32_t> index_;  ///< by node
};

}  // namespace graze::query
