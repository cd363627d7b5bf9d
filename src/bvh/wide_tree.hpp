// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/tree.hpp"

namespace graze::bvh {

/// Up to eight boxes in 80 bytes: each bound is a multiple of 1/255 of the node's own box, rounded outward. Children
/// are adjacent in memory, so that one index addresses them all. A *bottom* node's boxes are those of single items.
struct WideNode {
  static constexpr int width = 8;

  float origin[3];
  float scale[3];
  std::uint8_t lo[3][width];
  std::uint8_t hi[3][width];
  std::uint32_t first;  ///< the first child node, or the first entry in `items` of a bottom node
  std::uint8_t count;   ///< how many of the eight are used
  std::uint8_t bottom;
  std::uint8_t slot = 0, siblings = 1;  ///< its position among its parent's children, and their number

  /// Bounds of box i along an axis as every traversal computes them, up to one single-precision rounding.
  float low(int axis, int i) const { return origin[axis] + scale[axis] * static_cast<float>(lo[axis][i]); }
  float high(int axis, int i) const { return origin[axis] + scale[axis] * static_cast<float>(hi[axis][i]); }
};
static_assert(sizeof(WideNode) == 80);

/// A tree with up to eight children per node, made from a binary tree. Node 0 is the root.
struct WideTree {
  std::vector<WideNode> nodes;
  std::vector<std::uint32_t> items;  ///< indices of the input boxes, bottom node by bottom node

  std::size_t bytes() const { return nodes.size() * sizeof(WideNode) + items.size() * sizeof(std::uint32_t); }
};

/// A non-owning view of a WideTree.
struct WideTreeView {
  std::span<const WideNode> nodes;
  std::span<const std::uint32_t> items;
};

/// Collapses a binary tree whose leaves hold at most eight items: a node takes the descendants of largest surface area
/// until it has eight.
WideTree widen(const Tree& tree, std::span<const BoxF> boxes);

/// Recomputes the bounds of the same tree after its boxes have changed: one linear pass, children before parents.
void refit(WideTree& tree, std::span<const BoxF> boxes);

/// The estimated cost of a traversal, up to a factor: the sum of the surface areas of all nodes divided by the root's
/// (the surface-area heuristic). It grows as the boxes of a refitted tree come to overlap.
double cost(const WideTree& tree);

}  // namespace graze::bvh
