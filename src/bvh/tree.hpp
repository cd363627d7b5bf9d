// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace graze::bvh {

/// An axis-aligned box in single precision, rounded outward by its creator. Touching boxes overlap.
struct BoxF {
  float lo[3];
  float hi[3];
};

/// 32 bytes; the two children of an inner node are adjacent.
struct Node {
  BoxF box;
  std::uint32_t first;  ///< leaf: first entry in `items`; inner node: its left child (the right one is first + 1)
  std::uint32_t count;  ///< number of items of a leaf; 0 for an inner node
  bool is_leaf() const { return count != 0; }
};

/// A binary tree over boxes, in flat arrays; node 0 is the root. It does not know what the boxes represent.
struct Tree {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> items;  ///< indices of the input boxes, leaf by leaf
};

struct BuildOptions {
  std::uint32_t max_leaf_size = 4;
  int threads = 1;  ///< the tree is the same for any number
};

/// Binned surface-area heuristic over box centres; deterministic. Requires at least one box.
Tree build(std::span<const BoxF> boxes, const BuildOptions& options = {});

}  // namespace graze::bvh
