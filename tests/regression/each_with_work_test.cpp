// SPDX-License-Identifier: MIT
// `sweep` with `each` and `work` did not end: where a contact came earlier than the time up to which a limit left
// another pair open, the other pair was asked with the same limit again and again.
#include <gtest/gtest.h>

#include <graze/graze.hpp>

namespace graze::testing {
namespace {

TEST(EachWithWork, EndsAndTheNextSweepGoesOn) {
  const Body cube(make::box()), knot(make::torus_knot({.triangles = 2880}));
  int left = 0;
  for (std::uint64_t work = 1; work < 10000; work *= 3) {
    World world;
    world.add(cube);
    const BodyId stops = world.add(cube, Pose({1.5, 0, 0}));
    world.add(knot, Pose({0, 50, 0}));
    const BodyId turns = world.add(knot, Pose({9, 50.1, 0.2}, {1, 0.2, 0.3, 0}));
    world.sweep();
    world.move(stops, Pose({-8, 0, 0}));
    world.move(turns, Pose({-9, 50, 0}, {1, 0.5, 0.3, 0.2}));
    SweepOptions options;
    options.advance = options.each = true;
    options.work = work;
    world.sweep(options);
    left += world.destination(turns).has_value();
    options.work = 0;
    world.sweep(options);
    EXPECT_FALSE(world.destination(turns));
    EXPECT_FALSE(world.destination(stops));
    EXPECT_GT(world.pose(stops).translation().x, 1);
    EXPECT_GT(world.pose(turns).translation().x, 0);
  }
  EXPECT_GT(left, 0);
}

}  // namespace
}  // namespace graze::testing
