// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/core/error.hpp>

namespace graze {
namespace {

Box3 cube(double x, double half = 0.5) { return {{x - half, -half, -half}, {x + half, half, half}}; }

ErrorCode code_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.detail().message.empty());
    return error.detail().code;
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::cannot_write;
}

TEST(BroadInterface, AutomaticComesFirst) {
  ASSERT_GE(broad_phases().size(), 2u);
  EXPECT_EQ(broad_phases()[0].name, "automatic");
  for (const BroadTraits& t : broad_phases()) {
    EXPECT_FALSE(t.summary.empty()) << t.name;
    BroadPhase phase({.method = t.name});
    if (t.name != "automatic") {
      EXPECT_EQ(phase.method(), t.name);
    }
  }
}

TEST(BroadInterface, BadInputIsAnError) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code_of([] { BroadPhase({.method = "none"}); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([] { BroadPhase({.margin = -1}); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([&] { BroadPhase({.cell = nan}); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([] { BroadPhase({.depth = 21}); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([&] { BroadPhase({.bounds = Box3{{0, 0, 0}, {1, 1, inf}}}); }), ErrorCode::not_finite);
  BroadPhase phase;
  phase.insert(7, cube(0));
  EXPECT_EQ(code_of([&] { phase.insert(7, cube(0)); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([&] { phase.insert(1u << 24, cube(0)); }), ErrorCode::too_large);
  EXPECT_EQ(code_of([&] { phase.insert(8, cube(nan)); }), ErrorCode::not_finite);
  EXPECT_EQ(code_of([&] { phase.update(7, cube(inf)); }), ErrorCode::not_finite);
  EXPECT_EQ(code_of([&] { phase.update(7, Box3{}); }), ErrorCode::not_finite);
  EXPECT_EQ(code_of([&] { phase.update(7, {{0, 0, 0}, {1, -1, 1}}); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([&] { phase.update(8, cube(0)); }), ErrorCode::index_out_of_range);
  EXPECT_EQ(code_of([&] { phase.remove(8); }), ErrorCode::index_out_of_range);
  std::vector<BoxPair> pairs;
  EXPECT_EQ(code_of([&] { phase.pairs(pairs, 0); }), ErrorCode::bad_option);
  std::vector<std::uint32_t> ids;
  EXPECT_EQ(code_of([&] { phase.overlapping(Box3{}, ids); }), ErrorCode::not_finite);
  EXPECT_EQ(code_of([&] { phase.along_ray({}, {}, 1, ids); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([&] { phase.along_ray({nan, 0, 0}, {1, 0, 0}, 1, ids); }), ErrorCode::not_finite);
  EXPECT_EQ(code_of([&] { phase.along_ray({}, {1, 0, 0}, -1, ids); }), ErrorCode::not_finite);
  // Nothing was half done.
  EXPECT_EQ(phase.size(), 1u);
  EXPECT_EQ(phase.box(7), cube(0));
}

TEST(BroadInterface, SignedZeroIsNoEmptyBox) {
  BroadPhase phase;
  phase.insert(0, {{0.0, -1, -0.0}, {-0.0, -1, 0.0}});
  phase.insert(1, {{-2.5, -2, 0}, {-0.0, -0.5, 0}});
  std::vector<BoxPair> pairs;
  phase.pairs(pairs);
  EXPECT_EQ(pairs, (std::vector<BoxPair>{{0, 1}}));
}

TEST(BroadInterface, OnlyWhatMoved) {
  for (const BroadTraits& t : broad_phases()) {
    SCOPED_TRACE(t.name);
    BroadPhase phase({.method = t.name});
    std::vector<BoxPair> pairs;
    for (std::uint32_t i = 0; i < 4; ++i) phase.insert(i, cube(i));
    phase.moved_pairs(pairs);
    EXPECT_EQ(pairs, (std::vector<BoxPair>{{0, 1}, {1, 2}, {2, 3}}));
    phase.moved_pairs(pairs);
    EXPECT_TRUE(pairs.empty());
    phase.update(0, cube(0));
    phase.moved_pairs(pairs);
    EXPECT_EQ(pairs, (std::vector<BoxPair>{{0, 1}}));
    phase.remove(1);
    phase.update(3, cube(3));
    phase.moved_pairs(pairs);
    EXPECT_EQ(pairs, (std::vector<BoxPair>{{2, 3}}));
    phase.update(2, cube(100));
    phase.insert(1, cube(1));
    phase.pairs(pairs);
    EXPECT_EQ(pairs, (std::vector<BoxPair>{{0, 1}}));
    phase.moved_pairs(pairs);
    EXPECT_TRUE(pairs.empty());
  }
}

/// Few bodies, all moving, few of them moving, sizes of all kinds, few bodies again: the method follows, the pairs stay
/// right (BroadConformance).
/// The first of several questions brings the method up to date, while others read boxes.
TEST(BroadInterface, ThreadsMayAskConstQuestionsAtOnce) {
  BroadPhase phase({.method = "grid"});
  for (std::uint32_t id = 0; id < 50; ++id) phase.insert(id, cube(id));
  for (int round = 0; round < 20; ++round) {
    for (std::uint32_t id = 0; id < 50; ++id) phase.update(id, cube(id + 0.1 * round));
    std::vector<std::thread> threads;
    std::atomic<std::size_t> found = 0;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        std::vector<std::uint32_t> out;
        for (std::uint32_t id = 0; id < 50; ++id) {
          phase.overlapping(phase.box(id), out);
          found += out.size();
        }
      });
    for (std::thread& t : threads) t.join();
    EXPECT_GE(found, std::size_t{3 * 50});
  }
}

TEST(BroadInterface, AutomaticChangesItsMind) {
  BroadPhase phase;
  std::vector<BoxPair> pairs;
  const auto frames = [&](std::uint32_t movers) {
    for (int frame = 0; frame < 16; ++frame) {
      for (std::uint32_t i = 0; i < movers; ++i) phase.update(i, cube(i));
      phase.moved_pairs(pairs);
    }
    return phase.method();
  };
  for (std::uint32_t i = 0; i < 10; ++i) phase.insert(i, cube(i));
  EXPECT_EQ(frames(10), "all_pairs");
  for (std::uint32_t i = 10; i < 400; ++i) phase.insert(i, cube(i));
  EXPECT_EQ(frames(400), "strips");
  EXPECT_EQ(frames(4), "grid");
  EXPECT_EQ(frames(400), "strips");
  for (std::uint32_t i = 400; i < 1000; ++i) phase.insert(i, cube(i, i % 4 == 0 ? 100 : 0.1));
  EXPECT_EQ(frames(4), "tree");
  for (std::uint32_t i = 10; i < 1000; ++i) phase.remove(i);
  EXPECT_EQ(frames(10), "all_pairs");
  EXPECT_EQ(phase.counters().method_changes, 6u);
}

TEST(BroadInterface, CubeAroundHoldsTheSphere) {
  const Box3 box = cube_around({0.1, -0.2, 1e17}, 0.3);
  EXPECT_LT(box.lo.x, 0.1 - 0.3);
  EXPECT_GT(box.hi.y, -0.2 + 0.3);
  EXPECT_LT(box.lo.z, 1e17);  // 0.3 is lost in rounding, but not the points that it stands for
  EXPECT_EQ(cube_around({1, 2, 3}, 0), (Box3{{1, 2, 3}, {1, 2, 3}}));
  EXPECT_EQ(code_of([] { cube_around({0, 0, 0}, -1); }), ErrorCode::bad_option);
  EXPECT_EQ(code_of([] { cube_around({1e308, 0, 0}, 1.7e308); }), ErrorCode::not_finite);
}

TEST(BroadInterface, Moves) {
  BroadPhase first;
  first.insert(3, cube(0));
  BroadPhase second = std::move(first);
  EXPECT_TRUE(second.contains(3));
  EXPECT_GT(second.bytes(), 0u);
}

}  // namespace
}  // namespace graze
