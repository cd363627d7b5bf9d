// SPDX-License-Identifier: MIT
// A budget that ended while the margin of a pair was looked at left the library as an exception of its own, and the
// pairs of that check were lost. A margin that is none put the ids of a concurrent world out of step.
#include <chrono>
#include <cmath>

#include <gtest/gtest.h>
#include <graze/graze.hpp>

namespace graze {
namespace {

TEST(MarginEndedByBudget, ChecksGoOnUntilAllIsKnown) {
  const Body knot(make::torus_knot({.p = 2, .q = 3, .triangles = 2880}));
  const auto fill = [&](World& world) {
    for (int i = 0; i < 16; ++i)
      world.add(knot, Pose({3.2 * (i % 4), 3.2 * (i / 4), 0.01 * i}, {1, 0.1 * i, 0, 0}), {.margin = 0.4});
  };
  World whole, cut;
  fill(whole);
  fill(cut);
  whole.check();
  int ended = 0;
  for (int i = 0; i < 10'000; ++i) {
    const CheckResult r =
        cut.check({.budget = std::chrono::microseconds(20 + 5 * i), .details = {.manifold = true, .depth = true}});
    for (const WorldEvent& e : r.events) {
      ASSERT_TRUE(e.kind == EventKind::ended || e.manifold);
    }
    if (r.undecided.empty()) break;
    ++ended;
  }
  EXPECT_GT(ended, 0);
  EXPECT_EQ(cut.touching().size(), whole.touching().size());
}

TEST(MarginEndedByBudget, EventsWithAGapHaveAManifold) {
  const Body ball(shape::Sphere{0.5});
  World world;
  world.add(ball, Pose(), {.margin = 2});
  for (int i = 1; i < 40; ++i) {
    const double angle = 0.1 * i;
    world.add(ball, Pose({2.7 * std::cos(angle), 2.7 * std::sin(angle), 3.0 * i}), {.margin = 3.0 * i});
  }
  const CheckResult r = world.check({.details = {.manifold = true}});
  EXPECT_GT(r.events.size(), 10u);
  for (const WorldEvent& e : r.events) {
    ASSERT_TRUE(e.manifold);
    EXPECT_EQ(e.manifold->patches.size(), 1u) << e.gap;
  }
}

TEST(MarginEndedByBudget, AMarginThatIsNoneTakesNoId) {
  ConcurrentWorld world;
  const Body ball(shape::Sphere{1});
  EXPECT_THROW(world.add(ball, Pose(), {.margin = -1}), Error);
  const BodyId a = world.add(ball, Pose()), b = world.add(ball, Pose({0.5, 0, 0}));
  EXPECT_EQ(a.slot, 0u);
  EXPECT_EQ(b.slot, 1u);
}

}  // namespace
}  // namespace graze
