// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bvh/box_f.hpp"
#include "bvh/limits.hpp"
#include "bvh/refit.hpp"
#include "bvh/statistics.hpp"
#include "bvh/tree.hpp"
#include "bvh/validate.hpp"
#include "unit/bvh/boxes.hpp"

namespace {

using namespace graze::bvh;
using bvh_test::cases;
using bvh_test::random_boxes;
using bvh_test::surface_boxes;

// Sanitizers slow a build down twentyfold.
const std::size_t large = std::getenv("GRAZE_FEW_CASES") ? 20000 : 871000;

#define EXPECT_SOUND(tree, boxes) EXPECT_EQ(validate(tree, boxes).value_or("sound"), "sound")

bool same(const Tree& a, const Tree& b) {
  return a.items == b.items && a.nodes.size() == b.nodes.size() &&
         std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(Node)) == 0;
}

bool same_box(const BoxF& a, const BoxF& b) { return contains(a, b) && contains(b, a); }

void shake(std::vector<BoxF>& boxes, unsigned seed, float by) {
  std::mt19937 bits(seed);
  for (BoxF& b : boxes) {
    for (int k = 0; k < 3; ++k) {
      const float d = by * (static_cast<float>(bits() >> 8) * 0x1p-24f - 0.5f);
      b.lo[k] += d;
      b.hi[k] += d;
    }
  }
}

TEST(BvhBuild, EveryKindOfInputGivesASoundTree) {
  for (const auto& c : cases()) {
    for (const std::uint32_t leaf : {1u, 2u, 4u, 8u, 100u}) {
      SCOPED_TRACE(c.name + ", leaves of " + std::to_string(leaf));
      const Tree tree = build(c.boxes, {leaf, 1});
      EXPECT_SOUND(tree, c.boxes);
      for (const Node& n : tree.nodes) EXPECT_LE(n.count, leaf);
      EXPECT_LE(statistics(tree).depth, max_depth);
      EXPECT_TRUE(c.name != "line" || statistics(tree).depth <= 20);
    }
  }
}

TEST(BvhBuild, BoundsAreNoLargerThanTheItems) {
  for (const auto& c : cases()) {
    SCOPED_TRACE(c.name);
    const Tree tree = build(c.boxes);
    Tree fitted = tree;
    refit(fitted, c.boxes);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      EXPECT_TRUE(same_box(tree.nodes[i].box, fitted.nodes[i].box));
    }
  }
}

TEST(BvhBuild, TheSameTreeForAnyNumberOfThreads) {
  auto all = cases();
  all.push_back({"large surface", surface_boxes(large / 12)});
  for (const auto& c : all) {
    SCOPED_TRACE(c.name);
    const Tree one = build(c.boxes, {4, 1});
    for (const int threads : {2, 3, 8}) EXPECT_TRUE(same(one, build(c.boxes, {4, threads})));
  }
}

TEST(BvhBuild, NoBoxesGiveNoNodes) {
  const Tree tree = build({});
  EXPECT_TRUE(tree.nodes.empty());
  EXPECT_SOUND(tree, {});
}

TEST(BvhBuild, TheTreeIsWorthHaving) {
  const auto boxes = surface_boxes(70000);
  const Statistics s = statistics(build(boxes));
  EXPECT_LT(s.sah_cost, 60);  // halving by index alone: about 100
  EXPECT_LE(s.depth, 30);
  EXPECT_GT(s.average_leaf, 2.5);
  EXPECT_LT(s.bytes_per_item, 32);
}

TEST(BvhBuild, TimeOfALargeBuild) {
  const auto boxes = surface_boxes(large);
  for (const int threads : {1, 2}) {
    const auto start = std::chrono::steady_clock::now();
    const Tree tree = build(boxes, {4, threads});
    const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
    std::printf("build of %zu boxes, %d thread(s): %.3f s, %.1f bytes per box\n", boxes.size(), threads, t.count(),
                statistics(tree).bytes_per_item);
    EXPECT_SOUND(tree, boxes);
  }
}

TEST(BvhValidate, FindsWhatIsWrong) {
  const auto boxes = random_boxes(100, 1);
  const Tree good = build(boxes);
  EXPECT_SOUND(good, boxes);
  Tree t = good;
  t.items[3] = t.items[4];
  EXPECT_TRUE(validate(t, boxes));
  t = good;
  t.items[3] = 100;
  EXPECT_TRUE(validate(t, boxes));
  t = good;
  t.nodes[0].first = 0;
  EXPECT_TRUE(validate(t, boxes));
  t = good;
  t.nodes[0].first = static_cast<std::uint32_t>(t.nodes.size() - 1);
  EXPECT_TRUE(validate(t, boxes));
  t = good;
  t.nodes.back().count -= 1;
  EXPECT_TRUE(validate(t, boxes));
  t = good;
  t.nodes[1].box.hi[2] -= 0.5f;
  EXPECT_TRUE(validate(t, boxes));
  t = good;
  t.nodes.resize(t.nodes.size() + 2, t.nodes.back());
  EXPECT_TRUE(validate(t, boxes));
  t = good;
  t.nodes.clear();
  EXPECT_TRUE(validate(t, boxes));
  EXPECT_TRUE(validate(good, std::span(boxes).first(99)));
}

TEST(BvhRefit, FollowsMovedBoxes) {
  auto boxes = random_boxes(5000, 11);
  Tree tree = build(boxes);
  for (unsigned step = 0; step < 5; ++step) {
    shake(boxes, step, 0.1f);
    EXPECT_TRUE(validate(tree, boxes));
    refit(tree, boxes);
    EXPECT_SOUND(tree, boxes);
    EXPECT_TRUE(same_box(tree.nodes[0].box, build(boxes).nodes[0].box));
  }
}

}  // namespace
