// SPDX-License-Identifier: MIT
// A sweep with `advance` whose budget ran out moved the bodies to their ends, past what they would have hit. Pinned:
// they move to the certified time only, and the next sweep covers the rest of their path.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include <graze/graze.hpp>
#include <graze/world/replay.hpp>

namespace graze::testing {
namespace {

Pose at(double x, double y = 0, double z = 0) { return Pose({x, y, z}); }

TEST(SweepCutByBudget, GoesToTheCertifiedTimeOnly) {
  World world;
  const Body bunny(make::bunny({.triangles = 800}));
  const BodyId moving = world.add(bunny, at(-3));
  world.add(bunny);
  world.sweep();
  const Pose end({3, 0, 0}, {1, .3, .2, .1});
  world.move(moving, end);
  const SweepResult cut = world.sweep({.advance = true, .work = 3});
  ASSERT_EQ(cut.status, Status::undecided);
  EXPECT_TRUE(cut.advanced);
  EXPECT_NEAR(world.pose(moving).translation().x, -3 + 6 * cut.safe, 1e-12);
  EXPECT_LT(world.pose(moving).translation().x, -0.5);
  ASSERT_TRUE(world.destination(moving));
  EXPECT_EQ(*world.destination(moving), end);
  EXPECT_TRUE(world.check().events.empty());
  const SweepResult rest = world.sweep({.advance = true});
  EXPECT_EQ(rest.status, Status::contact);
  EXPECT_FALSE(world.destination(moving));
  EXPECT_LT(world.pose(moving).translation().x, 0);
  EXPECT_TRUE(world.check().events.empty());
  EXPECT_EQ(world.sweep().status, Status::free);  // a contact ends the path
}

TEST(SweepCutByBudget, NoBudgetAndNoMethodPassesAThinWall) {
  const Body wall(make::box({.size = {0.01, 10, 10}})), ball(make::sphere({.triangles = 200}));
  for (const FirstContactTraits& method : first_contact_methods())
    for (const std::uint64_t work : {1, 2, 5, 20, 100}) {
      World world;
      const BodyId bullet = world.add(ball, at(-5));
      world.add(wall);
      world.sweep();
      world.move(bullet, Pose({7, 0.3, 0.1}, {1, 0.5, 0.2, 0}));
      Status status = Status::undecided;
      double before = -5;
      for (int i = 0; i < 30 && status == Status::undecided; ++i) {
        const SweepResult r = world.sweep({.advance = true, .method = method.name, .work = work});
        status = r.status;
        const double x = world.pose(bullet).translation().x;
        ASSERT_GE(x, before) << method.name << ' ' << work;
        ASSERT_LT(x, -0.005) << method.name << ' ' << work;
        ASSERT_EQ(world.destination(bullet).has_value(), status == Status::undecided);
        before = x;
      }
      if (status == Status::undecided) status = world.sweep({.advance = true}).status;
      EXPECT_TRUE(status == Status::contact || status == Status::touching_at_start) << method.name << ' ' << work;
      EXPECT_LT(world.pose(bullet).translation().x, -0.005);
    }
}

TEST(SweepCutByBudget, AFreePathArrivesExactly) {
  World world;
  const Body ball(make::sphere({.triangles = 528}));
  const BodyId moving = world.add(ball, at(-9, 2.01));
  world.add(ball);
  world.sweep();
  const Pose end({9, 2.01, 0}, {1, .3, .2, .1});
  world.move(moving, end);
  Status status = Status::undecided;
  int sweeps = 0;
  for (std::uint64_t work = 5; sweeps < 30 && status == Status::undecided; ++sweeps, work *= 2)
    status = world.sweep({.advance = true, .work = work}).status;
  EXPECT_EQ(status, Status::free);
  EXPECT_GT(sweeps, 1);
  EXPECT_EQ(world.pose(moving), end);
  EXPECT_FALSE(world.destination(moving));
}

TEST(SweepCutByBudget, MovingTheBodyEndsItsOldPath) {
  World world;
  const Body bunny(make::bunny({.triangles = 800}));
  const BodyId moving = world.add(bunny, at(-3));
  world.add(bunny);
  world.sweep();
  world.move(moving, at(3));
  ASSERT_EQ(world.sweep({.advance = true, .work = 3}).status, Status::undecided);
  const double x = world.pose(moving).translation().x;
  world.move(moving, at(x - 1));
  EXPECT_FALSE(world.destination(moving));
  EXPECT_EQ(world.sweep({.advance = true}).status, Status::free);
  EXPECT_EQ(world.pose(moving), at(x - 1));
  // A request that is refused loses no rest, and without `advance` the body is moved on all the same.
  world.move(moving, at(3));
  ASSERT_EQ(world.sweep({.advance = true, .work = 3}).status, Status::undecided);
  EXPECT_EQ(world.sweep({.method = "none such"}).status, Status::invalid_request);
  EXPECT_TRUE(world.destination(moving));
  EXPECT_EQ(world.sweep().status, Status::contact);
  EXPECT_EQ(world.pose(moving), at(3));
}

TEST(SweepCutByBudget, AnArmStopsAndGoesOnByItsJoints) {
  World world;
  Joint joint;
  joint.type = JointType::revolute;
  const Chain chain({{"arm", "", joint}});
  const std::vector<LinkBody> links{{LinkId{0}, Body(make::box({.size = {4, 0.1, 0.1}}))}};
  const ArticulatedId robot = world.add(chain, links, std::vector<double>{0});
  const BodyId arm = world.bodies(robot)[0];
  world.add(Body(make::sphere({.radius = 0.5, .triangles = 400})), at(0, 2));
  world.sweep();
  world.move(robot, std::vector<double>{3.14159});
  Status status = world.sweep({.advance = true, .work = 2}).status;
  ASSERT_EQ(status, Status::undecided);
  ASSERT_TRUE(world.destination(arm));
  EXPECT_NEAR(world.destination(arm)->rotation().w, 0, 1e-3);
  EXPECT_TRUE(world.check().events.empty());
  EXPECT_EQ(world.sweep({.advance = true}).status, Status::contact);
  EXPECT_FALSE(world.destination(arm));
  EXPECT_TRUE(world.check().events.empty());
}

TEST(SweepCutByBudget, ARecordingDoesTheSameAgain) {
  const std::string file = (std::filesystem::temp_directory_path() / "graze_sweep_cut_by_budget.txt").string();
  {
    World world;
    world.record(file);
    const Body bunny(make::bunny({.triangles = 400}));
    const BodyId moving = world.add(bunny, at(-3));
    world.add(bunny);
    world.sweep();
    world.move(moving, at(3));
    for (int i = 0; i < 4; ++i) {
      world.sweep({.advance = true, .work = 5});
      world.check();
    }
    world.sweep({.advance = true});
  }
  const ReplayResult again = replay_world(file);
  EXPECT_EQ(again.sweeps, 6u);
  EXPECT_TRUE(again.different.empty());
  std::remove(file.c_str());
}

}  // namespace
}  // namespace graze::testing
