// SPDX-License-Identifier: MIT
// Tilted boxes in a grid (Zachmann 5.5.1): no cell with a point of the box is missed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <graze/broad/broad_phase.hpp>

#include "broad/stabbing.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace broad;
using Random = std::mt19937_64;

double uniform(Random& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

/// A box around a random place, its edges at right angles, in any orientation or along the axes.
TiltedBox random_box(Random& random, double side, double longest) {
  Vec3 a{uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)};
  Vec3 b{uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)};
  const int kind = static_cast<int>(random() % 4);
  if (kind == 0) a = {1, 0, 0}, b = {0, 1, 0};
  if (kind == 1) a = {1, 0, 0};
  const Vec3 c = cross(a, b), d = cross(c, a);
  TiltedBox box;
  box.corner = {uniform(random, 0, side), uniform(random, 0, side), uniform(random, 0, side)};
  const Vec3 directions[] = {a, c, d};
  for (int e = 0; e < 3; ++e)
    box.edges[e] = directions[e] * (longest * std::exp2(uniform(random, -6, 0)) / length(directions[e]));
  return box;
}

Vec3 point(const TiltedBox& box, double r, double s, double t) {
  return box.corner + box.edges[0] * r + box.edges[1] * s + box.edges[2] * t;
}

Box3 box_around(const TiltedBox& box) {
  Box3 around;
  for (int i = 0; i < 8; ++i) around.add(point(box, i & 1, i >> 1 & 1, i >> 2));
  for (int k = 0; k < 3; ++k) {
    around.lo[k] = std::nextafter(around.lo[k], -1e300);
    around.hi[k] = std::nextafter(around.hi[k], 1e300);
  }
  return around;
}

TEST(BroadStabbing, NoCellIsMissed) {
  const std::uint64_t seed = testing::RandomBudget::seed(61);
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  testing::RandomBudget budget(400);
  CellMap map;
  for (int k = 0; k < 3; ++k)
    map.least[k] = -1000, map.most[k] = 1000, map.origin[k] = 0.3 * k, map.per_side[k] = 1 / 0.7;
  std::vector<CellAt> cells;
  double listed = 0, covered = 0;
  while (budget.more()) {
    const TiltedBox box = random_box(random, 10, random() % 2 == 0 ? 6 : 0.5);
    const CellRange range = map.range(box_around(box));
    if (!stab(map, range, box, cells)) continue;
    ASSERT_TRUE(std::is_sorted(cells.begin(), cells.end()));
    ASSERT_TRUE(std::adjacent_find(cells.begin(), cells.end()) == cells.end());
    listed += static_cast<double>(cells.size());
    covered += range.count();
    for (int i = 0; i < 400; ++i) {
      // Corners and edges as often as the inside.
      const auto any = [&] { return std::clamp(uniform(random, -0.5, 1.5), 0.0, 1.0); };
      const Vec3 p = point(box, any(), any(), any());
      const CellAt at{map.cell(p.x, 0), map.cell(p.y, 1), map.cell(p.z, 2)};
      ASSERT_TRUE(std::binary_search(cells.begin(), cells.end(), at)) << p.x << ' ' << p.y << ' ' << p.z;
    }
  }
  EXPECT_LT(listed, 0.8 * covered);
}

/// A box smaller than a cell, between all corner rays: what the thesis's rays alone do not see.
TEST(BroadStabbing, SmallerThanACell) {
  CellMap map;
  for (int k = 0; k < 3; ++k) map.least[k] = -100, map.most[k] = 100;
  const TiltedBox box{{0.9, 0.45, 0.5}, {{{0.2, 0.01, 0}, {-0.005, 0.1, 0}, {0, 0, 0.1}}}};
  std::vector<CellAt> cells;
  ASSERT_TRUE(stab(map, map.range(box_around(box)), box, cells));
  EXPECT_EQ(cells, (std::vector<CellAt>{{0, 0, 0}, {1, 0, 0}}));
}

TEST(BroadStabbing, FlatBoxesStayAsTheyAre) {
  CellMap map;
  for (int k = 0; k < 3; ++k) map.least[k] = -100, map.most[k] = 100;
  const TiltedBox flat{{0, 0, 0}, {{{5, 5, 0}, {-5, 5, 0}, {0, 0, 0}}}};
  std::vector<CellAt> cells;
  EXPECT_FALSE(stab(map, map.range(box_around(flat)), flat, cells));
}

/// Pairs of the grid with tilted boxes: all whose tilted boxes meet, none twice, none whose boxes are apart, and fewer
/// than without.
TEST(BroadStabbing, PairsOfTheGrid) {
  Random random(63);
  BroadPhase grid({.method = "grid", .cell = 0.5}), plain({.method = "all_pairs"});
  const std::uint32_t n = 120;
  std::vector<BoxPair> pairs, all;
  std::size_t left_out = 0;
  for (int frame = 0; frame < 12; ++frame) {
    std::vector<TiltedBox> boxes;
    for (std::uint32_t i = 0; i < n; ++i) {
      boxes.push_back(random_box(random, 6, 2.5));
      const bool tilted = i % 5 != 0;
      for (BroadPhase* phase : {&grid, &plain}) {
        if (frame == 0)
          phase->insert(i, box_around(boxes[i]));
        else if (frame % 3 != 0 || i % 2 == 0)
          phase->update(i, box_around(boxes[i]));
        else
          continue;
        if (tilted) phase->tilt(i, boxes[i]);
      }
    }
    grid.pairs(pairs);
    plain.pairs(all);
    EXPECT_TRUE(std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end());
    EXPECT_TRUE(std::includes(all.begin(), all.end(), pairs.begin(), pairs.end()));
    left_out += all.size() - pairs.size();
    if (frame % 3 == 0 && frame != 0) continue;  // half of the boxes are the last frame's
    for (const BoxPair& p : all) {
      // A vertex, edge middle or centre of one in the other shows that they meet.
      bool meet = false;
      for (int i = 0; i < 27 && !meet; ++i) {
        const Vec3 x = point(boxes[p.a], i % 3 / 2.0, i / 3 % 3 / 2.0, i / 9 / 2.0);
        const Vec3 d = x - boxes[p.b].corner;
        meet = std::all_of(boxes[p.b].edges.begin(), boxes[p.b].edges.end(), [&](const Vec3& e) {
          return dot(d, e) >= 0.01 * dot(e, e) && dot(d, e) <= 0.99 * dot(e, e);
        });
      }
      if (meet) {
        EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), p));
      }
    }
  }
  EXPECT_GT(left_out, 0u);
  EXPECT_GT(grid.counters().cells_stabbed, 0u);
}

}  // namespace
}  // namespace graze
