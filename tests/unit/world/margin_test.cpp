// SPDX-License-Identifier: MIT
// Margins of bodies: checks report who is within them, in every way of asking.
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "unit/world/help.hpp"

namespace graze {
namespace {

using testing::at;
using testing::cube;
using testing::texts;

TEST(Margin, BodiesWithinTheirMarginsTouch) {
  for (const BroadBoxes boxes : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes})
    for (const char* broad : {"automatic", "grid", "tree", "all_pairs"}) {
      World world({.broad = broad, .boxes = boxes});
      const BodyId a = world.add(Body(shape::Box{{1, 1, 1}}), at(0), {.margin = 0.25});
      const BodyId b = world.add(Body(shape::Box{{1, 1, 1}}), at(1.5), {.margin = 0.25});
      const CheckResult first = world.check({.details = {.manifold = true, .depth = true}});
      ASSERT_EQ(texts(first.events), (std::vector<std::string>{"began 0 1"}));  // exactly at the sum of the margins
      const WorldEvent& e = first.events[0];
      EXPECT_FALSE(e.contact);
      EXPECT_DOUBLE_EQ(e.gap, 0.5);
      EXPECT_DOUBLE_EQ(e.normal->x, 1);
      EXPECT_DOUBLE_EQ((*e.points)[1].x - (*e.points)[0].x, 0.5);
      ASSERT_TRUE(e.manifold);
      ASSERT_EQ(e.manifold->patches.size(), 1u);
      EXPECT_NEAR(e.manifold->patches[0].depth, -0.5, 1e-9);
      EXPECT_EQ(e.manifold->patches[0].points.size(), 4u);
      EXPECT_FALSE(e.depth);
      world.move(b, at(std::nextafter(1.5, 2)));
      EXPECT_EQ(texts(world.check().events), (std::vector<std::string>{"ended 0 1"}));
      world.margin(a, 0.3);
      EXPECT_EQ(texts(world.check().events), (std::vector<std::string>{"began 0 1"}));
      world.move(b, at(1));
      const CheckResult touching = world.check();
      ASSERT_EQ(texts(touching.events), (std::vector<std::string>{"stays 0 1"}));
      EXPECT_EQ(touching.events[0].contact, ContactKind::touching);
      EXPECT_EQ(touching.events[0].gap, 0);
      // Other questions are about the bodies.
      world.move(b, at(1.2));
      EXPECT_EQ(world.sweep().status, Status::free);
      EXPECT_EQ(world.near(0.1).status, Status::free);
    }
}

TEST(Margin, IsTheSameForAnyThreadsAndReplays) {
  const std::string file = ::testing::TempDir() + "graze_margin_recording.txt";
  std::uint64_t expected = 0;
  for (const int threads : {1, 4}) {
    World world({.threads = threads});
    if (threads == 1) world.record(file);
    std::mt19937_64 random(4);
    std::vector<BodyId> ids;
    for (int i = 0; i < 60; ++i)
      ids.push_back(world.add(cube(), testing::random_pose(random, 8), {.margin = 0.05 * (i % 4)}));
    std::uint64_t hash = 0;
    std::size_t apart = 0;
    for (int frame = 0; frame < 5; ++frame) {
      for (std::size_t i = 0; i < ids.size(); i += 3) world.move(ids[i], testing::random_pose(random, 8));
      const CheckResult r = frame == 2 ? world.check({.work = 200}) : world.check();
      hash = event_hash(r.events, hash);
      for (const WorldEvent& e : r.events) apart += e.gap > 0;
    }
    EXPECT_GT(apart, 5u);
    if (threads == 1) expected = hash;
    EXPECT_EQ(hash, expected);
    // Beside every pair, asked one by one.
    std::vector<std::pair<BodyId, BodyId>> within_margins;
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t j = i + 1; j < ids.size(); ++j)
        if (within(0.05 * static_cast<double>(i % 4) + 0.05 * static_cast<double>(j % 4), cube(), world.pose(ids[i]),
                   cube(), world.pose(ids[j]))
                .status == Status::contact)
          within_margins.emplace_back(ids[i], ids[j]);
    EXPECT_EQ(world.touching(), within_margins);
  }
  const ReplayResult replayed = replay_world(file);
  EXPECT_EQ(replayed.event_hash, expected);
}

TEST(Margin, AndTriggersOfArticulatedBodiesAreRecorded) {
  const std::string file = ::testing::TempDir() + "graze_articulated_recording.txt";
  std::uint64_t hash = 0;
  {
    World world;
    world.record(file);
    Link slide;
    slide.name = "slide";
    slide.joint.type = JointType::prismatic;
    slide.joint.axis = {1, 0, 0};
    const std::vector<LinkBody> links{{LinkId{0}, cube()}};
    const ArticulatedId arm =
        world.add(Chain({slide}), links, std::vector<double>{-5}, Pose(), {.trigger = true, .margin = 0.5});
    world.add(cube(), at(0));
    world.sweep();
    world.move(arm, std::vector<double>{-1.25});
    const CheckResult near = world.check();
    ASSERT_EQ(near.events.size(), 1u);
    EXPECT_DOUBLE_EQ(near.events[0].gap, 0.25);
    EXPECT_TRUE(near.events[0].trigger);
    hash = event_hash(near.events);
    world.move(arm, std::vector<double>{5});
    const SweepResult swept = world.sweep();
    EXPECT_EQ(swept.status, Status::free);
    EXPECT_EQ(swept.triggers.size(), 1u);
  }
  const ReplayResult replayed = replay_world(file);
  EXPECT_EQ(replayed.event_hash, hash);
  EXPECT_TRUE(replayed.different.empty());
}

TEST(Margin, BadOnesAreRefused) {
  World world;
  const BodyId a = world.add(cube());
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(world.margin(a, bad), Error);
    EXPECT_THROW(world.add(cube(), Pose(), {.margin = bad}), Error);
  }
  EXPECT_EQ(world.size(), 1u);
  ConcurrentWorld beside({.every_frame = true});
  const BodyId x = beside.add(cube()), y = beside.add(cube(), at(1.25));
  EXPECT_THROW(beside.margin(x, -1), Error);
  beside.margin(x, 0.25);
  beside.post();
  beside.wait();
  std::vector<CheckResult> results;
  beside.take(results);
  ASSERT_EQ(results.size(), 1u);
  ASSERT_EQ(results[0].events.size(), 1u);
  EXPECT_EQ(results[0].events[0].b, y);
}

TEST(AdvanceInFrames, BodiesStopAndAreHeldThere) {
  for (const bool each : {false, true}) {
    World world;
    const FrameId cart = world.add_frame(Pose({0, 0, 0}, {1, 0, 0, 0.3}));
    const BodyId load = world.add(cube(), Pose({-5, 0.5, 0.25}, {1, 0.1, 0.2, 0.3}), {.frame = cart});
    const BodyId wall = world.add(Body(shape::Box{{1, 20, 20}}), at(3));
    world.sweep();
    world.move(cart, Pose({10, 0, 0}, {1, 0, 0, 0.35}));
    const SweepResult swept = world.sweep({.advance = true, .each = each});
    ASSERT_EQ(swept.status, Status::contact);
    EXPECT_TRUE(swept.advanced);
    const Pose stopped = world.pose(load);
    EXPECT_EQ(collide(cube(), stopped, world.body(wall), world.pose(wall)).status, Status::free);
    EXPECT_LT(distance(cube(), stopped, world.body(wall), world.pose(wall)).distance, 1e-3);
    EXPECT_EQ(world.pose(cart).translation().x, 10);
    EXPECT_TRUE(world.check().events.empty());
    EXPECT_EQ(world.pose(load), stopped);
    EXPECT_EQ(world.sweep().status, Status::free);  // nothing moved since
    // Its pose in the frame leads to the same place, rounded; from now on it moves with the frame.
    world.move(cart, Pose({9, 0, 0}, {1, 0, 0, 0.35}));
    EXPECT_LT(length(world.pose(load).translation() + Vec3{1, 0, 0} - stopped.translation()), 1e-9);
    EXPECT_EQ(world.sweep({.advance = true}).status, Status::free);
    world.move(load, Pose());
    EXPECT_EQ(world.pose(load).translation(), (Vec3{9, 0, 0}));
  }
}

TEST(AdvanceInFrames, ALimitKeepsTheRestUntilTheFrameMoves) {
  World world;
  const FrameId cart = world.add_frame();
  const BodyId load = world.add(Body(make::torus({.triangles = 500})), at(-5), {.frame = cart});
  world.add(Body(make::torus({.triangles = 500})), Pose({3, 0, 0}, {1, 0.5, 0, 0}));
  world.sweep();
  world.move(cart, Pose({8, 0, 0}, {0, 0, 0, 1}));
  SweepResult swept = world.sweep({.advance = true, .work = 20});
  if (swept.status == Status::undecided) {
    EXPECT_TRUE(world.destination(load));
    world.move(cart, at(8));
    EXPECT_FALSE(world.destination(load));
    world.move(cart, Pose({8, 0, 0}, {0, 0, 0, 1}));
  }
  while ((swept = world.sweep({.advance = true, .work = 2000})).status == Status::undecided) {
  }
  EXPECT_TRUE(world.check().events.empty());
}

}  // namespace
}  // namespace graze
