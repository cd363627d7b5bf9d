// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "unit/world_help.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;

/// Five cubes beside five others, each pair a little deeper in the other.
World row(int threads = 1) {
  World world({.threads = threads});
  for (int i = 0; i < 5; ++i) world.add(cube(), at(10 * i)), world.add(cube(), at(10 * i + 0.9 - 0.1 * i));
  return world;
}

TEST(WorldBudget, NearestFirstAndTheRestIsUndecided) {
  World world = row();
  const CheckResult first = world.check({.pairs = 2});
  EXPECT_EQ(texts(first.events), (Texts{"began 6 7", "began 8 9"}));
  EXPECT_EQ(first.asked, 2u);
  ASSERT_EQ(first.undecided.size(), 3u);
  EXPECT_EQ(first.undecided[0].a.slot, 4u);  // the nearest of those that are left
  EXPECT_EQ(first.undecided[2].a.slot, 0u);
  const CheckResult second = world.check({.pairs = 2});  // nothing moved, but something is still to be asked
  EXPECT_EQ(texts(second.events), (Texts{"began 2 3", "began 4 5"}));
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  EXPECT_TRUE(world.check().undecided.empty());
}

TEST(WorldBudget, WorkIsReproducible) {
  std::vector<std::vector<std::string>> all;
  for (const int threads : {1, 2, 4}) {
    World world = row(threads);
    const CheckResult r = world.check({.work = 100});
    EXPECT_GT(r.undecided.size(), 0u);
    EXPECT_GT(r.events.size(), 0u);
    all.push_back(texts(r.events));
    for (const UndecidedPair& p : r.undecided) all.back().push_back(std::to_string(p.a.slot));
    all.back().push_back(std::to_string(r.counters.methods.box_tests));
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

TEST(WorldBudget, NoTimeAtAllDecidesNothingAndLosesNothing) {
  World world = row();
  world.check();
  for (const BodyId id : world.bodies()) world.move(id, Pose(world.pose(id).translation() + Vec3{0, 1, 0}));
  const CheckResult r = world.check({.budget = std::chrono::nanoseconds(0)});
  EXPECT_TRUE(r.events.empty());
  EXPECT_EQ(r.undecided.size(), 5u);
  EXPECT_TRUE(r.undecided[0].in_contact);
  EXPECT_EQ(world.touching().size(), 5u);
  EXPECT_EQ(world.check({.budget = std::chrono::seconds(100)}).events.size(), 5u);
}

TEST(WorldCoherence, IsKeptWhileAPairIsNearAndNeverMoreThanAllowed) {
  World world({.coherent_pairs = 1});
  const Body ball(make::sphere({.radius = 0.5, .triangles = 528}));
  const BodyId a = world.add(ball), b = world.add(ball, at(0.8, 0.8)), c = world.add(ball, at(0.8, -0.8));
  world.set_pair(a, b, {.method = "separating_plane"});
  world.set_pair(a, c, {.method = "separating_plane"});
  world.check();
  EXPECT_EQ(world.coherent_pairs(), 1u);
  world.move(b, at(0.81, 0.8));
  EXPECT_EQ(world.check().counters.methods.plane_reused, 1u);
  world.move(b, at(9));
  world.move(c, at(-9));
  world.check();
  EXPECT_EQ(world.coherent_pairs(), 0u);
}

TEST(WorldCoherence, SweepsRememberToo) {
  World world;
  const Body torus(make::torus({.major = 0.5, .minor = 0.2, .triangles = 512}));
  world.add(torus);
  const BodyId b = world.add(torus, Pose({0.5, 0, 0}, {1, 1, 0, 0}));
  std::vector<Status> statuses;
  for (int i = 1; i <= 3; ++i) {
    world.move(b, Pose({0.5, 0.002 * i, 0}, {1, 1, 0, 0}));
    statuses.push_back(world.sweep({.method = "interval"}).status);
  }
  EXPECT_EQ(world.coherent_pairs(), 1u);
  EXPECT_EQ(statuses, (std::vector<Status>(3, Status::free)));
  std::vector<Vec3> same(torus.mesh().positions().begin(), torus.mesh().positions().end());
  world.replace(b, Body(Mesh(same, torus.mesh().polygons())));
  world.move(b, Pose({0.5, 0, 0}, {1, 1, 0, 0}));
  EXPECT_EQ(world.sweep({.method = "interval"}).status, Status::free);
}

}  // namespace
}  // namespace graze::testing
