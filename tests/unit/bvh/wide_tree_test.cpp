// SPDX-License-Identifier: MIT
#include "bvh/wide_tree.hpp"

#include <gtest/gtest.h>

#include <random>

namespace graze::bvh {
namespace {

std::vector<BoxF> random_boxes(std::size_t n, std::uint32_t seed, int kind) {
  std::mt19937 random(seed);
  const auto number = [&] { return static_cast<float>(random() % 20001) / 10000 - 1; };
  std::vector<BoxF> boxes(n);
  for (BoxF& b : boxes)
    for (int i = 0; i < 3; ++i) {
      const float c = kind == 1 ? 0.25f : kind == 2 && i == 2 ? 0 : number();  // all equal; flat
      const float h = kind == 0 ? 0.01f * (1 + number()) : 0;
      b.lo[i] = c - h;
      b.hi[i] = c + h;
    }
  return boxes;
}

/// Every box below a node's slot lies inside the slot's decoded bounds; counts the items.
std::size_t check(const WideTree& tree, std::span<const BoxF> boxes, std::uint32_t node, std::vector<int>& seen,
                  BoxF& bounds) {
  const WideNode& n = tree.nodes[node];
  EXPECT_GE(n.count, 1);
  EXPECT_LE(n.count, WideNode::width);
  std::size_t items = 0;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.lo[axis] = std::numeric_limits<float>::infinity();
    bounds.hi[axis] = -bounds.lo[axis];
  }
  for (int i = 0; i < n.count; ++i) {
    BoxF below;
    if (n.bottom) {
      const std::uint32_t item = tree.items[n.first + static_cast<std::uint32_t>(i)];
      ++seen[item];
      ++items;
      below = boxes[item];
    } else {
      EXPECT_GT(n.first, node);
      items += check(tree, boxes, n.first + static_cast<std::uint32_t>(i), seen, below);
    }
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_LE(n.low(axis, i), below.lo[axis]);
      EXPECT_GE(n.high(axis, i), below.hi[axis]);
      bounds.lo[axis] = std::min(bounds.lo[axis], below.lo[axis]);
      bounds.hi[axis] = std::max(bounds.hi[axis], below.hi[axis]);
    }
  }
  return items;
}

TEST(WideTree, HoldsEveryBoxOnceInsideAllItsAncestors) {
  for (const std::size_t n : {1u, 2u, 8u, 9u, 65u, 1000u, 20000u})
    for (int kind = 0; kind < 3; ++kind) {
      const std::vector<BoxF> boxes = random_boxes(n, 7 + static_cast<std::uint32_t>(n), kind);
      const WideTree tree = widen(build(boxes, {.max_leaf_size = WideNode::width}), boxes);
      std::vector<int> seen(n, 0);
      BoxF bounds;
      EXPECT_EQ(check(tree, boxes, 0, seen, bounds), n);
      for (const int s : seen) EXPECT_EQ(s, 1);
    }
}

TEST(WideTree, IsTheSameForAnyNumberOfThreads) {
  const std::vector<BoxF> boxes = random_boxes(30000, 3, 0);
  const WideTree one = widen(build(boxes, {.max_leaf_size = 8}), boxes),
                 two = widen(build(boxes, {.max_leaf_size = 8, .threads = 2}), boxes);
  EXPECT_EQ(one.items, two.items);
  EXPECT_EQ(one.nodes.size(), two.nodes.size());
}

}  // namespace
}  // namespace graze::bvh
