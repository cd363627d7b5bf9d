// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "bvh/best_first.hpp"
#include "bvh/front.hpp"
#include "bvh/refit.hpp"
#include "bvh/traverse.hpp"
#include "unit/bvh_boxes.hpp"

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

/// Squared distance of two boxes.
double gap2(const BoxF& a, const BoxF& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = std::max({0.0, double(a.lo[k]) - b.hi[k], double(b.lo[k]) - a.hi[k]});
    sum += d * d;
  }
  return sum;
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

TEST(BvhBestFirst, FindsTheClosestPairAndAllItsEquals) {
  BestFirstScratch scratch;
  for (unsigned seed = 0; seed < 10; ++seed) {
    auto ours = random_boxes(600, seed, 1.0f, 0.01f), others = random_boxes(300, seed + 100, 1.0f, 0.01f);
    for (BoxF& b : others) b.lo[0] += 1.1f, b.hi[0] += 1.1f;
    others.push_back(others[7]);
    const Tree a = build(ours), b = build(others);
    double expected = 1e300;
    for (const BoxF& x : ours) {
      for (const BoxF& y : others) expected = std::min(expected, gap2(x, y));
    }
    std::size_t leaf_pairs = 0;
    double best = 1e300;
    const double limit = best_first(
        a, b, [](const Node& x, const Node& y) { return gap2(x.box, y.box); },
        [&](const Node& x, const Node& y, double) {
          ++leaf_pairs;
          for (const std::uint32_t i : items_of(a, x)) {
            for (const std::uint32_t j : items_of(b, y)) best = std::min(best, gap2(ours[i], others[j]));
          }
          return best;
        },
        std::numeric_limits<double>::infinity(), scratch);
    EXPECT_EQ(limit, expected);
    EXPECT_LT(leaf_pairs, 200u);
  }
}

TEST(BvhBestFirst, OneTree) {
  BestFirstScratch scratch;
  const auto boxes = random_boxes(3000, 1, 1.0f, 0.001f);
  const Tree tree = build(boxes);
  const BoxF query = bvh_test::box_at(0.3f, 1.4f, 0.6f, 0, 0, 0);
  double best = 1e300, expected = 1e300;
  for (const BoxF& b : boxes) expected = std::min(expected, gap2(b, query));
  std::size_t leaves = 0;
  best_first(
      tree, [&](const Node& n) { return gap2(n.box, query); },
      [&](const Node& leaf, double) {
        ++leaves;
        for (const std::uint32_t i : items_of(tree, leaf)) best = std::min(best, gap2(boxes[i], query));
        return best;
      },
      1e300, scratch);
  EXPECT_EQ(best, expected);
  EXPECT_LT(leaves, 30u);
}

class BvhFront : public ::testing::Test {
 protected:
  using Leaves = std::vector<std::pair<const Node*, const Node*>>;

  BvhFront() : ours_(random_boxes(3000, 1, 1.0f, 0.03f)), others_(random_boxes(2000, 2, 1.0f, 0.03f)) {
    a_ = build(ours_);
    b_ = build(others_);
    up_a_ = ancestry(a_);
    up_b_ = ancestry(b_);
  }
  /// Tree b seen from tree a, shifted along x.
  auto enter() const {
    return [this](const Node& x, const Node& y) {
      BoxF moved = y.box;
      moved.lo[0] += shift_;
      moved.hi[0] += shift_;
      return overlap(x.box, moved);
    };
  }
  Leaves with(Front& front, std::size_t stop_after = ~std::size_t{0}) {
    Leaves leaves;
    front.traverse({a_, up_a_}, {b_, up_b_}, enter(), [&](const Node& x, const Node& y) {
      leaves.emplace_back(&x, &y);
      return leaves.size() == stop_after ? Visit::stop : Visit::proceed;
    });
    return leaves;
  }
  Leaves fresh() {
    Front front;
    return with(front);
  }

  std::vector<BoxF> ours_, others_;
  Tree a_, b_;
  Ancestry up_a_, up_b_;
  float shift_ = 0;
};

TEST_F(BvhFront, FindsTheSameLeafPairsAsAPlainTraversal) {
  shift_ = 0.5f;
  Leaves plain;
  traverse_pairs(a_, b_, enter(), [&](const Node& x, const Node& y) {
    plain.emplace_back(&x, &y);
    return Visit::proceed;
  });
  Leaves found = fresh();
  std::sort(plain.begin(), plain.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, plain);
}

TEST_F(BvhFront, ReuseGivesTheSameLeafPairsInTheSameOrder) {
  Front front;
  bool pruned = false, sprouted = false;
  for (int step = 0; step < 60; ++step) {
    shift_ = step < 30 ? 1.2f - 0.05f * float(step) : -0.3f + 0.05f * float(step - 30);
    ASSERT_EQ(with(front), fresh()) << step;
    pruned |= front.counters().prunes > 0;
    sprouted |= front.counters().sprouts > 0;
  }
  EXPECT_TRUE(pruned);
  EXPECT_TRUE(sprouted);
}

TEST_F(BvhFront, SavesTestsAndShrinksAgain) {
  Front front;
  shift_ = 0.9f;
  with(front);
  const std::size_t from_roots = front.counters().tests;
  shift_ = 0.901f;
  with(front);
  EXPECT_LT(front.counters().tests, from_roots);
  const std::size_t near = front.size();
  shift_ = 5;
  with(front);
  EXPECT_LT(front.size(), near / 100 + 2);
}

TEST_F(BvhFront, StoppingEarlyLosesNothing) {
  Front front;
  shift_ = 0.7f;
  const Leaves all = fresh();
  ASSERT_GT(all.size(), 50u);
  for (const std::size_t stop : {1u, 20u, 3u}) {
    EXPECT_EQ(with(front, stop), Leaves(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(stop)));
  }
  EXPECT_EQ(with(front), all);
}

TEST_F(BvhFront, ACapOnMemoryCostsOnlyTime) {
  Front front(100);
  shift_ = 0.6f;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(with(front), fresh());
    EXPECT_TRUE(front.counters().dropped);
    EXPECT_EQ(front.size(), 0u);
  }
  shift_ = 5;
  with(front);
  EXPECT_FALSE(front.counters().dropped);
}

TEST_F(BvhFront, SurvivesARefit) {
  Front front;
  shift_ = 0.6f;
  with(front);
  for (BoxF& b : ours_) b.lo[1] -= 0.1f * b.hi[0], b.hi[1] += 0.1f * b.hi[2];
  refit(a_, ours_);
  EXPECT_EQ(with(front), fresh());
}

}  // namespace
