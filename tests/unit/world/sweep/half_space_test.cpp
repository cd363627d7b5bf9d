// SPDX-License-Identifier: MIT
// `sweep` with `advance`, where a half-space moves.
#include <gtest/gtest.h>

#include <cmath>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

TEST(AdvanceHalfSpace, ALiftStopsBelowACrateAndNotAtTheStart) {
  for (const bool each : {false, true})
    for (const double separation : {0.0, 0.125})
      for (const double far : {0.0, 1e6}) {
        World world;
        const BodyId lift = world.add(Body(shape::HalfSpace{}), at(far, 0, -2));
        const BodyId crate = world.add(cube(), at(far, 0, 0)), other = world.add(cube(), at(far + 9, 9, 9));
        world.sweep();
        world.move(lift, at(far, 0, 2));
        world.move(other, at(far + 10, 9, 9));
        const SweepResult r = world.sweep({.advance = true, .each = each, .min_separation = separation});
        ASSERT_EQ(r.status, Status::contact);
        EXPECT_NEAR(world.pose(lift).translation().z, -0.5 - separation, 1e-4);
        EXPECT_LT(world.pose(lift).translation().z, -0.5 - separation);
        EXPECT_GT(world.pose(other).translation().x, far + 9.2);
        EXPECT_EQ(within(separation, world.body(lift), world.pose(lift), cube(), world.pose(crate)).status,
                  Status::free);
        world.move(lift, at(far, 0, -1));  // it can leave
        EXPECT_EQ(world.sweep({.advance = true, .each = each, .min_separation = separation}).status, Status::free);
        EXPECT_EQ(world.pose(lift), at(far, 0, -1));
      }
}

TEST(AdvanceHalfSpace, ATurningWallStopsBesideABall) {
  for (const bool each : {false, true}) {
    World world;
    const BodyId wall = world.add(Body(shape::HalfSpace{}), at(0, 0, -1));
    const BodyId ball = world.add(Body(shape::Sphere{0.5}), at(4));
    world.sweep();
    world.move(wall, Pose({0, 0, -1}, {1, 0, -0.5, 0}));
    const SweepResult r = world.sweep({.advance = true, .each = each});
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_GT(r.safe, 0.05);
    const DistanceResult left = distance(world.body(wall), world.pose(wall), world.body(ball), world.pose(ball));
    EXPECT_GT(left.distance, 0);
    EXPECT_LT(left.distance, 1e-3);
  }
}

TEST(AdvanceHalfSpace, OnALinkOfAChain) {
  World world;
  Link slide{"lift", "", {}};
  slide.joint.type = JointType::prismatic;
  const Chain chain({slide});
  const std::vector<LinkBody> links{{LinkId{0}, Body(shape::HalfSpace{})}};
  const ArticulatedId lift = world.add(chain, links, std::vector<double>{-2});
  world.add(cube());
  world.sweep();
  world.move(lift, std::vector<double>{2});
  ASSERT_EQ(world.sweep({.advance = true}).status, Status::contact);
  EXPECT_NEAR(world.pose(world.bodies(lift)[0]).translation().z, -0.5, 1e-4);
  EXPECT_TRUE(brute_contacts(world).empty());
}

/// Walls that move and turn among bodies: nothing touches where they stop, and they do stop near what they meet.
TEST(AdvanceHalfSpace, RandomWalls) {
  const std::uint64_t seed = RandomBudget::seed(16);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  RandomBudget budget(40);
  int near = 0;
  while (budget.more()) {
    const bool each = random() % 2;
    World world;
    const Body kinds[] = {cube(), Body(shape::Sphere{0.5}), Body(shape::Cone{0.5, 1}),
                          Body(make::sphere({.radius = 0.5, .triangles = 80}))};
    const BodyId wall = world.add(Body(shape::HalfSpace{}), at(0, 0, -3));
    std::vector<BodyId> ids;
    for (const Body& body : kinds) {
      const BodyId id = world.add(body, random_pose(random, 5));
      if (brute_contacts(world).empty())
        ids.push_back(id);
      else
        world.remove(id);
    }
    world.sweep();
    const double tilt = random() % 2 ? 0 : 0.3;
    world.move(wall, Pose({0, 0, 1}, {1, tilt, tilt / 2, 0}));
    if (random() % 2)
      for (const BodyId id : ids) world.move(id, random_pose(random, 5));
    const SweepResult r = world.sweep({.advance = true, .each = each});
    ASSERT_NE(r.status, Status::undecided);
    ASSERT_TRUE(brute_contacts(world).empty());
    for (const SweepContact& c : r.contacts)
      if (r.status == Status::contact && c.a == wall && c.contact.time.safe == r.safe && !each)
        near += distance(world.body(c.a), world.pose(c.a), world.body(c.b), world.pose(c.b)).distance < 1e-3;
  }
  EXPECT_GT(near, 0);
}

}  // namespace
}  // namespace graze::testing
