// SPDX-License-Identifier: MIT
// Worlds of shapes: a floor that is a half-space, balls, crates and a mesh; checks, sweeps, near pairs, rays and boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <graze/mesh/make.hpp>
#include <graze/world/replay.hpp>
#include <graze/world/world.hpp>

namespace graze {
namespace {

using shape::Box;
using shape::Capsule;
using shape::HalfSpace;
using shape::Sphere;

std::vector<std::string> every_broad_phase() {
  return {"automatic", "all_pairs", "grid", "octree", "sweep", "tree", "strips"};
}

TEST(WorldConvexShapes, AFloorTouchesWhatReachesIt) {
  for (const std::string& broad : every_broad_phase())
    for (const BroadBoxes boxes : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes}) {
      World world({.broad = broad, .boxes = boxes});
      const BodyId floor = world.add(Body(HalfSpace{}));
      const BodyId ball = world.add(Body(Sphere{0.5}), Pose({0, 0, 0.4}));
      const BodyId crate = world.add(Body(Box{{1, 1, 1}}), Pose({3, 0, 0.5}));
      world.add(Body(Capsule{0.2, 1}), Pose({6, 0, 2}));
      const BodyId ring = world.add(Body(make::torus({.major = 1, .minor = 0.2, .triangles = 200})), Pose({9, 0, 0.1}));
      const CheckResult result = world.check();
      ASSERT_EQ(result.events.size(), 3u) << broad;
      EXPECT_EQ(world.touching(),
                (std::vector<std::pair<BodyId, BodyId>>{{floor, ball}, {floor, crate}, {floor, ring}}));
      EXPECT_EQ(result.events[1].contact, ContactKind::touching);
      world.move(ball, Pose({0, 0, 3}));
      EXPECT_EQ(world.check().events.size(), 1u) << broad;
    }
}

TEST(WorldConvexShapes, ASweepStopsFallingBallsBeforeTheFloor) {
  World world;
  world.add(Body(HalfSpace{}));
  std::vector<BodyId> balls;
  for (int i = 0; i < 5; ++i) balls.push_back(world.add(Body(Sphere{0.5}), Pose({2.0 * i, 0, 2.0 + i})));
  world.sweep();
  for (int i = 0; i < 5; ++i) world.move(balls[static_cast<std::size_t>(i)], Pose({2.0 * i, 0, -3.0 + i}));
  const SweepResult result = world.sweep({.advance = true});
  EXPECT_EQ(result.status, Status::contact);
  EXPECT_NEAR(result.safe, 1.5 / 5, 1e-5);
  EXPECT_TRUE(result.advanced);
  EXPECT_GT(world.pose(balls[0]).translation().z, 0.5);
  EXPECT_NEAR(world.pose(balls[0]).translation().z, 0.5, 1e-4);
  EXPECT_TRUE(world.check().events.empty());
}

TEST(WorldConvexShapes, NearPairsRaysAndBoxes) {
  World world;
  const BodyId a = world.add(Body(Sphere{1})), b = world.add(Body(Sphere{1}), Pose({3, 0, 0}));
  const NearResult near = world.near(1.5);
  ASSERT_EQ(near.pairs.size(), 1u);
  EXPECT_NEAR(near.pairs[0].distance.distance, 1, 1e-9);
  EXPECT_TRUE(world.near(0.5).pairs.empty());
  const auto hits = world.ray({-5, 0, 0}, {5, 0, 0});
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].body, a);
  EXPECT_EQ(hits[1].body, b);
  EXPECT_NEAR(hits[0].hit.fraction, 0.4, 1e-9);
  EXPECT_NEAR(hits[1].hit.fraction, 0.7, 1e-9);
  EXPECT_EQ(world.in_box({{1.5, -1, -1}, {2.5, 1, 1}}), std::vector<BodyId>{b});
}

TEST(WorldConvexShapes, AreRecordedAndReplayed) {
  const std::string file = ::testing::TempDir() + "world_shapes.txt";
  {
    World world;
    world.record(file);
    world.add(Body(HalfSpace{}));
    const BodyId hull = world.add(Body(shape::rounded(shape::Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 0.1)),
                                  Pose({0, 0, 0.05}));
    world.add(Body(shape::Ellipsoid{{1, 2, 3}}), Pose({0, 0, 10}));
    world.check();
    world.move(hull, Pose({0, 0, 1}));
    world.check();
  }
  const ReplayResult replay = replay_world(file);
  EXPECT_GT(replay.calls, 4u);
  std::remove(file.c_str());
}

}  // namespace
}  // namespace graze
