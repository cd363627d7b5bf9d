// SPDX-License-Identifier: MIT
// What single broad phases are made of: their ideas at work, seen by counters, and their parts.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <thread>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <graze/broad/broad_phase.hpp>

#include "broad/cell_table.hpp"
#include "broad/cells.hpp"
#include "broad/key_order.hpp"
#include "broad/segment.hpp"
#include "broad/strips_frame.hpp"
#include "broad/tree.hpp"

namespace graze {
namespace {

using namespace broad;

Box3 cube(double x, double y, double z, double half) {
  return {{x - half, y - half, z - half}, {x + half, y + half, z + half}};
}

TEST(BroadMethods, DifferenceOfBlocks) {
  std::mt19937 random(4);
  const auto any = [&] {
    CellRange r{};
    for (int k = 0; k < 3; ++k) {
      r.lo[k] = static_cast<int>(random() % 4);
      r.hi[k] = r.lo[k] + static_cast<int>(random() % 4);
    }
    return r;
  };
  using Cells = std::multiset<std::array<int, 3>>;
  const auto add = [](Cells& cells, const CellRange& r) {
    for (int x = r.lo[0]; x <= r.hi[0]; ++x) {
      for (int y = r.lo[1]; y <= r.hi[1]; ++y) {
        for (int z = r.lo[2]; z <= r.hi[2]; ++z) cells.insert({x, y, z});
      }
    }
  };
  for (int i = 0; i < 300; ++i) {
    const CellRange a = any(), b = any();
    Cells in_a, in_b, difference;
    add(in_a, a);
    add(in_b, b);
    int blocks = 0;
    for_each_difference(a, b, [&](const CellRange& part) {
      EXPECT_FALSE(part.empty());
      add(difference, part);
      ++blocks;
    });
    EXPECT_LE(blocks, 6);
    for (const auto& cell : in_b) in_a.erase(cell);
    EXPECT_EQ(difference, in_a);
  }
}

TEST(BroadMethods, CellsAreForgottenBehindAWanderer) {
  BroadPhase grid({.method = "grid", .cell = 1}), octree({.method = "octree", .depth = 12});
  std::vector<BoxPair> pairs;
  std::size_t after_start = 0;
  for (int step = 0; step < 5000; ++step) {
    for (BroadPhase* phase : {&grid, &octree}) {
      const Box3 box = cube(3.0 * step, 0, 0, 0.4);
      if (step == 0)
        phase->insert(0, box);
      else
        phase->update(0, box);
      phase->pairs(pairs);
    }
    if (step == 500) after_start = grid.bytes() + octree.bytes();
  }
  EXPECT_LT(grid.bytes() + octree.bytes(), 2 * after_start);
}

/// A body that moves a little changes few cells, and none if it stays in its cells (Zachmann 5.4.3, 5.5.2).
TEST(BroadMethods, BoxDifferenceTouchesFewCells) {
  for (const char* method : {"grid", "octree"}) {
    SCOPED_TRACE(method);
    BroadPhase phase({.method = method, .bounds = Box3{{0, 0, 0}, {16, 16, 16}}, .cell = 1, .depth = 4});
    std::vector<BoxPair> pairs;
    phase.insert(0, {{2.2, 2.2, 2.2}, {6.8, 6.8, 6.8}});
    phase.pairs(pairs);
    const BroadCounters start = phase.counters();
    phase.update(0, {{2.3, 2.2, 2.2}, {6.9, 6.8, 6.8}});
    phase.pairs(pairs);
    EXPECT_EQ(phase.counters().updates_skipped, 1u);
    EXPECT_EQ(phase.counters().cells_entered, start.cells_entered);
    phase.update(0, {{3.1, 2.2, 2.2}, {7.7, 6.8, 6.8}});
    phase.pairs(pairs);
    const BroadCounters moved = phase.counters();
    EXPECT_GT(moved.cells_kept, 0u);
    EXPECT_LE(moved.cells_entered - start.cells_entered, 57u);  // 25 cells of the new layer, and a split octant
    EXPECT_GE(moved.cells_left, 1u);
  }
}

TEST(BroadMethods, OctreeKnowsItsEntriesByDepth) {
  BroadPhase phase({.method = "octree", .bounds = Box3{{0, 0, 0}, {8, 8, 8}}, .depth = 3});
  phase.insert(0, {{0.5, 0.5, 0.5}, {0.75, 0.75, 0.75}});  // one cell
  phase.insert(1, {{0, 0, 0}, {3.5, 3.5, 3.5}});           // an octant of the root
  phase.insert(2, {{0.5, 0.5, 0.5}, {1.5, 0.75, 0.75}});   // two cells of an octant of depth 2
  EXPECT_EQ(phase.entries_by_depth(), (std::vector<std::uint64_t>{0, 1, 0, 3}));
  phase.remove(0);
  EXPECT_EQ(phase.entries_by_depth(), (std::vector<std::uint64_t>{0, 1, 0, 2}));
  EXPECT_TRUE(BroadPhase({.method = "grid"}).entries_by_depth().empty());
}

TEST(BroadMethods, SweepSwapsOnlyWhatPasses) {
  BroadPhase phase({.method = "sweep"});
  std::vector<BoxPair> pairs;
  for (std::uint32_t i = 0; i < 50; ++i) phase.insert(i, cube(3.0 * i, 5.0 * i, 7.0 * i, 1));
  phase.pairs(pairs);
  const std::uint64_t before = phase.counters().end_swaps;
  for (std::uint32_t i = 0; i < 50; ++i) phase.update(i, cube(3.0 * i + 0.1, 5.0 * i, 7.0 * i, 1));
  phase.pairs(pairs);
  EXPECT_EQ(phase.counters().end_swaps, before);
  phase.update(0, cube(3.2, 0, 0, 1));  // its beginning passes 1's, its end both of 1's
  phase.pairs(pairs);
  EXPECT_EQ(phase.counters().end_swaps, before + 3);
}

TEST(BroadMethods, TreeLeavesStayInWidenedBoxes) {
  for (const double margin : {0.0, 0.5}) {
    BroadPhase phase({.method = "tree", .margin = margin});
    std::vector<BoxPair> pairs;
    for (std::uint32_t i = 0; i < 40; ++i) phase.insert(i, cube(i, 0, 0, 0.5));
    phase.pairs(pairs);
    const std::uint64_t before = phase.counters().leaves_moved;
    for (std::uint32_t i = 0; i < 40; ++i) phase.update(i, cube(i + 0.3, 0, 0, 0.5));
    phase.pairs(pairs);
    EXPECT_EQ(phase.counters().leaves_moved - before, margin == 0 ? 40u : 0u);
    EXPECT_EQ(phase.counters().updates_skipped, margin == 0 ? 0u : 40u);
  }
}

TEST(BroadMethods, TreeStaysValid) {
  std::mt19937_64 random(6);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  Bodies bodies;
  Tree tree({});
  for (int round = 0; round < 60; ++round) {
    for (std::uint32_t id = 0; id < 200; ++id) {
      const Box3 box = cube(uniform(0, 9), uniform(0, 9), uniform(0, 9), std::exp2(uniform(-6, 2)));
      if (!bodies.contains(id)) {
        if (uniform(0, 1) < 0.3) bodies.insert(id, box);
      } else if (uniform(0, 1) < 0.1) {
        bodies.remove(id);
      } else if (uniform(0, 1) < 0.1) {
        bodies.set(id, box);
      }
    }
    tree.apply(bodies, bodies.changed());
    bodies.forget_changed();
    ASSERT_TRUE(tree.valid(bodies)) << "round " << round;
  }
}

TEST(BroadMethods, KeysInOrder) {
  std::mt19937 random(8);
  std::vector<KeyItem> scratch;
  for (const std::size_t n : {0u, 1u, 2u, 100u, 500u, 5000u}) {
    for (const std::uint32_t mask : {0u, 7u, 0xffffffffu}) {
      std::vector<KeyItem> items;
      for (std::uint32_t i = 0; i < n; ++i) items.push_back({static_cast<std::uint32_t>(random()) & mask, i});
      sort_by_key(items, scratch);
      std::set<std::uint32_t> seen;
      for (std::size_t i = 0; i < n; ++i) {
        seen.insert(items[i].item);
        if (i > 0) {
          EXPECT_LE(items[i - 1].key, items[i].key);
        }
      }
      EXPECT_EQ(seen.size(), n);
    }
  }
  const float values[] = {-std::numeric_limits<float>::max(), -1, -1e-40f, -0.0f, 0.0f, 1e-40f, 2, 3e38f};
  for (std::size_t i = 1; i < std::size(values); ++i) EXPECT_LT(ordered_bits(values[i - 1]), ordered_bits(values[i]));
}

/// The whole argument of `strips`: keys and cells never turn an order round.
TEST(BroadMethods, KeysAreMonotone) {
  std::mt19937_64 random(10);
  Bodies bodies;
  std::vector<std::uint32_t> ids;
  const auto any = [&] {
    const double sign = random() % 2 == 0 ? -1 : 1;
    return sign * std::exp2(std::uniform_real_distribution<double>(-1070, 1020)(random));
  };
  for (std::uint32_t id = 0; id < 300; ++id) {
    Box3 box;
    for (int i = 0; i < 2; ++i) box.add(Vec3{any(), any() * 1e-290, std::fmod(any(), 1.0)});
    bodies.insert(id, box);
    ids.push_back(id);
  }
  const StripsFrame frame = choose_frame(bodies, ids);
  for (int i = 0; i < 3000; ++i) {
    double x = any(), y = random() % 4 == 0 ? std::nextafter(x, 0) : any();
    if (x > y) std::swap(x, y);
    KeyBox keys;
    frame.make_keys({{x, x, x}, {y, y, y}}, keys);
    for (int k = 0; k < 3; ++k) EXPECT_LE(keys.lo[k], keys.hi[k]);
    for (int k = 0; k < 2; ++k) {
      EXPECT_LE(keys.cell_lo[k], keys.cell_hi[k]);
      EXPECT_LT(keys.cell_hi[k], frame.cells[k]);
    }
  }
}

/// Against exact whole numbers: a segment that meets a box is never said to miss it, and one that misses it by more
/// than roundings is not said to meet it.
TEST(BroadMethods, SegmentsMissNothing) {
  std::mt19937_64 random(12);
  const auto whole = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  int met = 0, differ = 0;
  for (int i = 0; i < 20000; ++i) {
    int o[3], d[3], lo[3], hi[3];
    const int length = whole(0, 3);
    for (int k = 0; k < 3; ++k) {
      o[k] = whole(-6, 6);
      d[k] = whole(-5, 5);
      lo[k] = whole(-6, 6);
      hi[k] = lo[k] + whole(0, 3);
    }
    if (d[0] == 0 && d[1] == 0 && d[2] == 0) continue;
    // s in [from, to] as fractions with positive denominators.
    long from = 0, from_below = 1, to = length, to_below = 1;
    bool apart = false;
    for (int k = 0; k < 3; ++k) {
      if (d[k] == 0) {
        apart = apart || o[k] < lo[k] || o[k] > hi[k];
        continue;
      }
      const long below = std::abs(d[k]);
      const long enters = d[k] > 0 ? lo[k] - o[k] : o[k] - hi[k], leaves = d[k] > 0 ? hi[k] - o[k] : o[k] - lo[k];
      if (enters * from_below > from * below) from = enters, from_below = below;
      if (leaves * to_below < to * below) to = leaves, to_below = below;
    }
    const bool truth = !apart && from * to_below <= to * from_below;
    const auto vec = [](const int* v) { return Vec3{double(v[0]), double(v[1]), double(v[2])}; };
    const Segment segment{vec(o), vec(d), static_cast<double>(length)};
    const bool says = segment.meets({vec(lo), vec(hi)});
    met += truth ? 1 : 0;
    if (truth) {
      EXPECT_TRUE(says) << "case " << i;
    }
    differ += says != truth ? 1 : 0;
  }
  EXPECT_GT(met, 200);
  EXPECT_EQ(differ, 0);  // fractions of such small numbers differ by more than roundings
}

/// Questions from many threads at once, the first of which brings the structure up to date.
TEST(BroadMethods, QuestionsAtTheSameTime) {
  for (const BroadTraits& traits : broad_phases()) {
    SCOPED_TRACE(traits.name);
    BroadPhase phase({.method = traits.name});
    for (std::uint32_t i = 0; i < 200; ++i) phase.insert(i, cube(i, 0, 0, 0.6));
    std::vector<std::vector<std::uint32_t>> boxes(4), rays(4);
    std::vector<std::thread> threads;
    const BroadPhase& asked = phase;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        asked.overlapping({{10, 0, 0}, {20, 1, 1}}, boxes[t]);
        asked.along_ray({50, 0.5, 0.5}, {1, 0, 0}, 3, rays[t]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(boxes[0].size(), 11u);
    EXPECT_EQ(rays[0].size(), 4u);
    for (std::size_t t = 1; t < 4; ++t) {
      EXPECT_EQ(boxes[t], boxes[0]);
      EXPECT_EQ(rays[t], rays[0]);
    }
  }
}

#if defined(__SSE2__)
/// With a caller who rounds upward and treats tiny numbers as zero, the same pairs; and his settings stay his.
TEST(BroadMethods, TheCallersFloatingPointIsKept) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const BroadTraits& traits : broad_phases()) {
    SCOPED_TRACE(traits.name);
    BroadPhase phase({.method = traits.name});
    std::vector<BoxPair> pairs;
    std::vector<std::uint32_t> ids;
    std::vector<Box3> boxes;
    for (std::uint32_t i = 0; i < 40; ++i)
      boxes.push_back({{2 * i * tiny, 0, 0}, {(2 * i + (i == 3 ? 2 : 1)) * tiny, 1, 1}});
    const unsigned before = _mm_getcsr();
    constexpr unsigned upward_and_flush = 0x1F80 | 0x4000 | 0x8040;
    _mm_setcsr(upward_and_flush);
    for (std::uint32_t i = 0; i < 40; ++i) phase.insert(i, boxes[i]);
    phase.update(3, boxes[3]);
    phase.pairs(pairs);
    phase.overlapping({{tiny, 0, 0}, {tiny, 0, 0}}, ids);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(after & 0xFFC0u, upward_and_flush & 0xFFC0u);
    EXPECT_EQ(pairs, (std::vector<BoxPair>{{3, 4}}));
    EXPECT_EQ(ids, (std::vector<std::uint32_t>{0}));
  }
}
#endif

}  // namespace
}  // namespace graze
