// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/classic/zachmann.hpp>

#include "unit/classic/zachmann/thesis_bodies.hpp"

namespace graze::thesis {
namespace {

void expect_same(const CollideResult& answer, const CollideResult& expected, const Placed& p) {
  ASSERT_EQ(answer.status, expected.status) << text(p);
  ASSERT_EQ(answer.kind, expected.kind) << text(p);
  ASSERT_EQ(answer.pairs, expected.pairs) << text(p);
  ASSERT_EQ(answer.features, expected.features) << text(p);
}

// 6.3.2: the phases at the same time, in either order of finishing. Bodies large enough that it is done, with faces on
// a grid so that they often only touch.
TEST(Brute, ParallelPhasesAnswerAsOneAfterTheOther) {
  oracle::Random random(5);
  const Body cube(make::box({.size = {2, 2, 2}, .divisions = 7})), ring(make::torus({.triangles = 640}));
  int touching = 0, crossing = 0, free = 0;
  for (int i = 0; i < 40; ++i) {
    const Pose pose(oracle::grid_point(random, 2), oracle::quarter_turn(random));
    const Placed p{cube, i % 4 == 0 ? ring : cube, Pose(), pose};
    for (const bool all : {false, true}) {
      const CollideResult expected = ask(p, {.method = "brute", .all = all});
      touching += expected.kind == ContactKind::touching;
      crossing += expected.kind == ContactKind::crossing;
      free += expected.status == Status::free;
      const CollideResult answer = ask(p, {.method = "brute", .all = all, .threads = 2});
      expect_same(answer, expected, p);
      EXPECT_EQ(answer.counters.edge_polygon_tests, expected.counters.edge_polygon_tests) << text(p);
    }
  }
  EXPECT_GT(touching, 4);
  EXPECT_GT(crossing, 4);
  EXPECT_GT(free, 0);
}

// 3.2.2: no pre-check of the point-in-polygon test changes an answer, and each is met.
TEST(Brute, OneShotAnswersAsSignsDo) {
  oracle::Random random(6);
  AllCounters counters;
  for (int i = 0; i < 300; ++i) {
    const Placed p = random_convex_pair(random);
    const Answer expected = ask(p, {.method = "brute", .all = true});
    const Answer answer =
        ask(p, {.method = "brute", .all = true, .zachmann = classic::zachmann::Options{.brute = {.one_shot = true}}});
    expect_same(answer, expected, p);
    EXPECT_EQ(answer.counters.edge_polygon_tests, expected.counters.edge_polygon_tests);
    EXPECT_EQ(expected.counters.polygon_precheck_1, 0u);
    counters += answer.counters;
  }
  EXPECT_GT(counters.polygon_precheck_1, 0u);
  EXPECT_GT(counters.polygon_precheck_2, 0u);
  EXPECT_GT(counters.polygon_precheck_3, 0u);
  EXPECT_GT(counters.polygon_precheck_4, 0u);
  EXPECT_GT(counters.polygon_exact, 0u);
}

}  // namespace
}  // namespace graze::thesis
