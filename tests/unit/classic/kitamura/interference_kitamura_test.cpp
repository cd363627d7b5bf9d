// SPDX-License-Identifier: MIT
// Kitamura's ideas at work: each switch moves its counter, none an answer.
#include <gtest/gtest.h>

#include <graze/ask/interference.hpp>
#include <graze/classic/kitamura.hpp>
#include <graze/mesh/make.hpp>

#include "all_counters.hpp"
#include "unit/classic/kitamura/interference_help.hpp"

namespace graze {
namespace {

using classic::kitamura::OctreeOptions;
using Stage = OctreeOptions::BodyStage;
using Root = OctreeOptions::Root;

using Answer = testing::Counted<InterferenceResult>;

Answer ask_with(const std::vector<InterferenceBody>& bodies, InterferenceOptions options) {
  return testing::counted([&](MethodCounters* own) {
    options.method_counters = own;
    return interference(bodies, options);
  });
}
Answer ask(const std::vector<InterferenceBody>& bodies, OctreeOptions octree) {
  return ask_with(bodies, {.kitamura = classic::kitamura::Options{.octree = octree}});
}

TEST(Kitamura, BodiesApartCostNoFaceTest) {
  const testing::Spheres spheres(528, 1.2);
  const Answer r = ask(spheres.bodies, {});
  EXPECT_EQ(r.status, Status::free);
  EXPECT_EQ(r.counters.overlap_regions, 0U);
  EXPECT_EQ(r.counters.check_list_faces, 0U);
  EXPECT_EQ(r.counters.triangle_tests, 0U);
}

TEST(Kitamura, OverlapRegionsKeepCheckListsShort) {
  const testing::Spheres spheres(960, 0.9);
  const Answer r = ask(spheres.bodies, {}), all = ask(spheres.bodies, {.bodies = Stage::skipped});
  EXPECT_EQ(r.pairs, all.pairs);
  EXPECT_EQ(r.counters.overlap_regions, 1U);
  EXPECT_EQ(all.counters.overlap_regions, 0U);
  EXPECT_EQ(all.counters.check_list_faces, 2 * spheres.bodies[0].mesh.triangle_count());
  EXPECT_LT(r.counters.check_list_faces, all.counters.check_list_faces / 2);
  EXPECT_LT(r.counters.octree_face_tests, all.counters.octree_face_tests);
}

TEST(Kitamura, DeeperCellsLeaveFewerPairsAndMoreRepeats) {
  const testing::Spheres spheres(960, 0.7);
  std::uint64_t tests = ~0ULL, cells = 0;
  for (const int level : {0, 2, 4, 6}) {
    const Answer r = ask(spheres.bodies, {.bodies = Stage::skipped, .level = level});
    EXPECT_LE(r.counters.triangle_tests, tests);
    EXPECT_GT(r.counters.octree_cells, cells);
    if (level == 0) {
      EXPECT_EQ(r.counters.octree_repeats, 0U);
    }
    if (level == 6) {
      EXPECT_GT(r.counters.octree_repeats, 0U);
    }
    tests = r.counters.triangle_tests;
    cells = r.counters.octree_cells;
  }
}

TEST(Kitamura, NoPairIsTestedTwice) {
  const testing::Spheres spheres(168, 0.5);
  const std::size_t n = spheres.bodies[0].mesh.triangle_count();
  for (const bool bintree : {false, true}) {
    const Answer r = ask(spheres.bodies, {.bintree = bintree, .level = 7});
    EXPECT_LT(r.counters.triangle_tests, n * n / 4);
    EXPECT_GT(r.counters.octree_repeats, r.counters.triangle_tests);
    EXPECT_EQ(r.pairs, ask(spheres.bodies, {.level = 0}).pairs);
  }
}

TEST(Kitamura, BintreesTestFewerFacesAgainstCells) {
  const testing::Spheres spheres(3968, 0.9);
  const Answer octree = ask(spheres.bodies, {.root = Root::world, .level = 6});
  const Answer bintree = ask(spheres.bodies, {.root = Root::world, .bintree = true, .level = 6});
  EXPECT_EQ(octree.pairs, bintree.pairs);
  EXPECT_LT(bintree.counters.octree_face_tests, octree.counters.octree_face_tests);
}

TEST(Kitamura, BodyTestsAreBetterThanQuadratic) {
  const Mesh box = make::box({.size = {0.5, 0.5, 0.5}});
  const auto row = [&](int n) {
    std::vector<InterferenceBody> bodies;
    for (int i = 0; i < n; ++i) bodies.push_back({.mesh = box, .pose = Pose({0.45 * i, 0, 0})});
    return bodies;
  };
  const auto tests = [&](int n, Stage stage) {
    const Answer r = ask(row(n), {.bodies = stage});
    EXPECT_EQ(r.counters.overlap_regions, std::uint64_t(n - 1));
    return r.counters.box_tests;
  };
  EXPECT_EQ(tests(200, Stage::all_pairs), 200U * 199 / 2);
  EXPECT_LT(tests(200, Stage::tree), 200U * 20);
  EXPECT_LT(tests(400, Stage::tree), 3 * tests(200, Stage::tree));
  EXPECT_EQ(ask(row(40), {.bodies = Stage::tree}).pairs, ask(row(40), {.bodies = Stage::all_pairs}).pairs);
}

TEST(Kitamura, AutomaticResolutionStopsWhereCuttingDoesNotPay) {
  const testing::Spheres spheres(3968, 0.9);
  const auto cost = [&](std::optional<int> level) { return ask(spheres.bodies, {.level = level}).counters; };
  const AllCounters automatic = cost({}), fine = cost(6), coarse = cost(0);
  EXPECT_LT(automatic.octree_face_tests, fine.octree_face_tests / 2);
  EXPECT_LE(automatic.triangle_tests, coarse.triangle_tests);
  EXPECT_GT(automatic.octree_cells, 8U);
}

TEST(Kitamura, ClippingKeepsTheSameFaces) {
  const testing::Spheres spheres(960, 0.7);
  const Answer axes = ask(spheres.bodies, {.level = 5}), clip = ask(spheres.bodies, {.clip = true, .level = 5});
  EXPECT_EQ(axes.pairs, clip.pairs);
  EXPECT_EQ(axes.counters.octree_cells, clip.counters.octree_cells);
  EXPECT_EQ(axes.counters.box_clip_whole, 0U);
  EXPECT_GT(clip.counters.box_clip_whole, 0U);
}

TEST(Kitamura, OctreeUpdatePlacesNodesInsteadOfTestingFaces) {
  const testing::Spheres spheres(528, 0.9);
  InterferenceCoherence coherence;
  InterferenceOptions options{.method = "octree_update", .coherence = &coherence};
  interference(spheres.bodies, options);
  const Answer r = ask_with(spheres.bodies, options);
  EXPECT_EQ(r.pairs, ask(spheres.bodies, {}).pairs);
  EXPECT_GT(r.counters.octree_nodes_placed, 0U);
  EXPECT_EQ(r.counters.check_list_faces, 0U);
  EXPECT_EQ(r.counters.nodes_rebuilt, 0U);
}

}  // namespace
}  // namespace graze
