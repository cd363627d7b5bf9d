// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "bvh/refit.hpp"
#include "bvh/traverse.hpp"
#include "unit/bvh/boxes.hpp"

namespace {

using namespace graze::bvh;
using bvh_test::cases;
using bvh_test::random_boxes;

using Pair = std::pair<std::uint32_t, std::uint32_t>;
using PairSet = std::set<Pair>;

bool nodes_overlap(const Node& a, const Node& b) { return overlap(a.box, b.box); }

PairSet brute(const std::vector<BoxF>& a, const std::vector<BoxF>& b) {
  PairSet result;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    for (std::uint32_t j = 0; j < b.size(); ++j) {
      if (overlap(a[i], b[j])) result.insert({i, j});
    }
  }
  return result;
}

TEST(BvhTraverse, OneTreeFindsWhatBruteForceFinds) {
  for (const auto& c : cases()) {
    SCOPED_TRACE(c.name);
    const Tree tree = build(c.boxes);
    for (std::size_t q = 0; q < c.boxes.size(); q += 1 + c.boxes.size() / 5) {
      std::set<std::uint32_t> found, expected;
      traverse(
          tree, [&](const BoxF& b) { return overlap(b, c.boxes[q]); },
          [&](const Node& leaf) {
            for (const std::uint32_t i : items_of(tree, leaf)) {
              EXPECT_TRUE(!overlap(c.boxes[i], c.boxes[q]) || found.insert(i).second);
            }
            return Visit::proceed;
          });
      for (std::uint32_t i = 0; i < c.boxes.size(); ++i) {
        if (overlap(c.boxes[i], c.boxes[q])) expected.insert(i);
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(BvhTraverse, ALeafCanStopIt) {
  const auto boxes = random_boxes(1000, 1);
  const Tree tree = build(boxes);
  int leaves = 0;
  const auto third = [&](auto&&...) { return ++leaves == 3 ? Visit::stop : Visit::proceed; };
  const auto always = [](auto&&...) { return true; };
  EXPECT_EQ(traverse(tree, always, third), Visit::stop);
  EXPECT_EQ(leaves, 3);
  leaves = 0;
  EXPECT_EQ(traverse_pairs(tree, tree, always, third), Visit::stop);
  EXPECT_EQ(leaves, 3);
  leaves = 0;
  EXPECT_EQ(traverse_self(tree, always, third), Visit::stop);
  EXPECT_EQ(leaves, 3);
}

TEST(BvhTraverse, TwoTreesFindWhatBruteForceFinds) {
  const auto ours = random_boxes(1500, 1), others = random_boxes(700, 2, 1.5f, 0.1f);
  for (const std::uint32_t leaf : {1u, 4u}) {
    const Tree a = build(ours, {leaf, 1}), b = build(others, {2 * leaf, 1});
    PairSet found;
    traverse_pairs(a, b, nodes_overlap, [&](const Node& x, const Node& y) {
      for (const std::uint32_t i : items_of(a, x)) {
        for (const std::uint32_t j : items_of(b, y)) {
          EXPECT_TRUE(!overlap(ours[i], others[j]) || found.insert({i, j}).second);
        }
      }
      return Visit::proceed;
    });
    EXPECT_EQ(found, brute(ours, others));
  }
}

TEST(BvhTraverse, SelfMeetsEveryUnorderedPairOnce) {
  for (const std::size_t n : {1u, 2u, 7u, 900u}) {
    const auto boxes = random_boxes(n, 3);
    const Tree tree = build(boxes);
    PairSet found, expected;
    traverse_self(tree, nodes_overlap, [&](const Node& x, const Node& y) {
      const auto xs = items_of(tree, x), ys = items_of(tree, y);
      for (std::size_t i = 0; i < xs.size(); ++i) {
        for (std::size_t j = &x == &y ? i + 1 : 0; j < ys.size(); ++j) {
          if (!overlap(boxes[xs[i]], boxes[ys[j]])) continue;
          EXPECT_TRUE(found.insert(std::minmax(xs[i], ys[j])).second);
        }
      }
      return Visit::proceed;
    });
    for (const Pair& p : brute(boxes, boxes)) {
      if (p.first < p.second) expected.insert(p);
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(BvhTraverse, DegenerateTreesDoNotOverflowTheStacks) {
  for (const auto& c : cases()) {
    if (c.boxes.size() > 400) continue;
    const Tree tree = build(c.boxes, {1, 1});
    std::size_t pairs = 0, self = 0;
    const auto always = [](auto&&...) { return true; };
    traverse_pairs(tree, tree, always, [&](auto&&...) { return ++pairs, Visit::proceed; });
    traverse_self(tree, always, [&](auto&&...) { return ++self, Visit::proceed; });
    const std::size_t n = c.boxes.size();
    EXPECT_EQ(pairs, n * n);
    EXPECT_EQ(self, n * (n + 1) / 2);
  }
}

}  // namespace
