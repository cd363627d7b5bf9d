// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "unit/world_help.hpp"
#include "world/placed_box.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;

TEST(WorldShapes, DeformReplaceAndBreak) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(1.5), {.name = "clay"});
  EXPECT_EQ(texts(world.check().events), Texts{});
  std::vector<Vec3> wide(world.body(b).mesh().positions().begin(), world.body(b).mesh().positions().end());
  for (Vec3& p : wide) p.x *= 3;
  world.deform(b, wide);
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  EXPECT_THROW(world.deform(b, std::span(wide).first(3)), Error);
  world.replace(b, Body(make::box({.size = {0.5, 0.5, 0.5}})));
  EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
  world.replace(b, Body(make::box({.size = {2.5, 0.5, 0.5}})));
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  const std::vector<Body> pieces{Body(make::box({.size = {2.5, 0.1, 0.1}})), Body(make::tetrahedron())};
  const std::vector<BodyId> ids = world.break_up(b, pieces);
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_FALSE(world.has(b));
  EXPECT_EQ(world.name(ids[1]), "clay");
  EXPECT_EQ(world.pose(ids[1]), at(1.5));
  EXPECT_EQ(texts(world.check().events), (Texts{"ended 0 1", "began 0 1", "began 1 2"}));
  EXPECT_TRUE(world.has(a));
}

Chain two_arms() {
  Joint joint;
  joint.type = JointType::revolute;
  Joint second = joint;
  second.origin = at(2);
  return Chain({{"upper", "", joint}, {"lower", "upper", second}, {"tip", "lower", second}});
}

TEST(WorldArticulated, LinksMoveTogetherAndNeighboursAreOfNoInterest) {
  World world;
  const Body bar(make::box({.size = {4, 0.2, 0.2}}));
  const Chain chain = two_arms();
  const std::vector<LinkBody> links{{LinkId{0}, bar}, {LinkId{1}, bar}, {LinkId{2}, bar}};
  const ArticulatedId robot = world.add(chain, links, std::vector<double>{0, 0, 0}, at(0, 0, 1));
  const BodyId wall = world.add(cube(), at(0, 4, 1));
  const std::vector<BodyId> ids = world.bodies(robot);
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(world.name(ids[1]), "lower");
  EXPECT_NEAR(world.pose(ids[1]).translation().x, 2, 1e-15);
  const CheckResult r = world.check();
  EXPECT_EQ(texts(r.events), Texts{"began 0 2"});  // the ends of upper and tip touch at x = 2; neighbours do not count
  EXPECT_EQ(r.counters.of_no_interest, 2u);
  world.move(robot, std::vector<double>{1.5707963267948966, 0, 0});
  EXPECT_EQ(texts(world.check().events), (Texts{"stays 0 2", "began 1 3", "began 2 3"}));
  EXPECT_THROW(world.move(ids[0], Pose()), Error);
  EXPECT_THROW(world.remove(ids[0]), Error);
  EXPECT_THROW(world.move(robot, std::vector<double>{0, 0}), Error);
  world.remove(robot);
  EXPECT_EQ(world.size(), 1u);
  EXPECT_EQ(world.check().events.size(), 3u);
  EXPECT_TRUE(world.has(wall));
  EXPECT_THROW(world.move(robot, std::vector<double>{0, 0, 0}), Error);
}

TEST(WorldBoxes, HoldThePlacedMesh) {
  std::mt19937_64 random(3);
  const Body body(make::chair());
  for (int i = 0; i < 200; ++i) {
    const Pose pose = random_pose(random, i % 2 ? 1e-3 : 1e6);
    const Box3 box = world::placed_box(body.mesh().box(), pose);
    for (const Vec3& p : body.mesh().positions()) ASSERT_TRUE(box.contains(pose.apply(p)));
  }
  // Numbers at the end of the range still give a box, and one that misses nothing.
  const Box3 huge{{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}};
  for (const Quat& q : {Quat{1, 0, 0, 0}, Quat{1, 1, 0, 0}, Quat{1e-300, 2e-300, 0, 1e-300}}) {
    const Box3 box = world::placed_box(huge, Pose({1.7e308, 0, 0}, q));
    EXPECT_TRUE(is_finite(box.lo) && is_finite(box.hi));
    EXPECT_EQ(box.hi.x, std::numeric_limits<double>::max());
    EXPECT_LE(box.lo.y, -1e308);
  }
}

}  // namespace
}  // namespace graze::testing
