// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "random_budget.hpp"
#include "unit/world_help.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;

std::vector<CheckResult> all_of(ConcurrentWorld& world) {
  world.wait();
  std::vector<CheckResult> out;
  world.take(out);
  return out;
}

TEST(WorldConcurrent, TellsWhatHappenedInWhichFrame) {
  ConcurrentWorld world({.every_frame = true});
  const BodyId a = world.add(cube()), b = world.add(cube(), at(3));
  EXPECT_EQ(world.post(), 1u);
  world.move(b, at(2));
  world.move(b, at(0.5));  // the last word of a frame counts
  EXPECT_EQ(world.post(), 2u);
  world.move(b, at(0.25));
  world.post();
  world.remove(b);
  EXPECT_FALSE(world.has(b));
  EXPECT_THROW(world.move(b, Pose()), Error);
  const BodyId c = world.add(cube(), at(0, 0, 0.5));
  EXPECT_EQ(c.slot, b.slot);
  world.post();
  const std::vector<CheckResult> r = all_of(world);
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(texts(r[0].events), Texts{});
  EXPECT_EQ(texts(r[1].events), Texts{"began 0 1"});
  EXPECT_EQ(r[1].events[0].frame, 2u);
  EXPECT_EQ(r[1].events[0].pose_b, at(0.5));
  EXPECT_EQ(r[2].events[0].pose_b, at(0.25));
  EXPECT_EQ(texts(r[3].events), (Texts{"ended 0 1", "began 0 1"}));
  EXPECT_EQ(r[3].events[1].b, c);
  EXPECT_EQ(r[3].events[1].a, a);
  EXPECT_EQ(world.skipped_frames(), 0u);
  EXPECT_EQ(world.checked(), 4u);
}

TEST(WorldConcurrent, ArticulatedAndBrokenBodiesHaveTheSameIds) {
  ConcurrentWorld world({.every_frame = true});
  Joint joint;
  joint.type = JointType::revolute;
  const Chain chain({{"arm", "", joint}, {"hand", "arm", joint}});
  const std::vector<LinkBody> links{{LinkId{0}, cube()}, {LinkId{1}, cube()}};
  const BodyId other = world.add(cube(), at(0.5));
  const ArticulatedId robot = world.add(chain, links, std::vector<double>{0, 0});
  const std::vector<BodyId> ids = world.bodies(robot);
  EXPECT_THROW(world.move(ids[0], Pose()), Error);
  EXPECT_THROW(world.move(robot, std::vector<double>{0}), Error);
  world.post();
  const std::vector<BodyId> pieces = world.break_up(other, std::vector<Body>{cube(), cube()});
  world.post();
  world.remove(robot);
  EXPECT_FALSE(world.has(ids[1]));
  world.post();
  world.move(pieces[0], at(9));
  world.post();
  const std::vector<CheckResult> r = all_of(world);
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(texts(r[0].events), (Texts{"began 0 1", "began 0 2"}));
  EXPECT_EQ(r[1].events.size(), 2u + 5u);  // two ends; each piece with both links, and with the other piece
  EXPECT_EQ(r[2].events.size(), 4u);
  ASSERT_EQ(r[3].events.size(), 1u);
  EXPECT_EQ(r[3].events[0].a, pieces[0]);
}

TEST(WorldConcurrent, SkippedFramesAreCountedAndNothingIsLost) {
  ConcurrentWorld world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5));
  world.on_contact([](const WorldEvent&) { std::this_thread::sleep_for(20ms); });
  world.post();
  std::vector<BodyId> extra;
  for (int i = 0; i < 50; ++i) {
    extra.push_back(world.add(cube(), at(100 + 10 * i)));
    world.move(b, at(0.5 + i));
    world.post();
  }
  std::vector<CheckResult> r = all_of(world);
  EXPECT_EQ(r.size() + world.skipped_frames(), 51u);
  EXPECT_GT(world.skipped_frames(), 0u);
  EXPECT_EQ(r.back().frame, 51u);
  world.move(extra.back(), at(49.6));  // every body that was added in a skipped frame is there
  world.move(extra.front(), at(49.4));
  world.post();
  EXPECT_EQ(all_of(world).back().events.size(), 3u);
  EXPECT_TRUE(world.has(a));
}

TEST(WorldConcurrent, CallbacksMayThrowIntoTake) {
  ConcurrentWorld world({.every_frame = true});
  world.add(cube()), world.add(cube(), at(0.5));
  world.on_contact([](const WorldEvent&) { throw std::runtime_error("no"); });
  world.post();
  world.wait();
  std::vector<CheckResult> out;
  EXPECT_THROW(world.take(out), std::runtime_error);
  ASSERT_EQ(out.size(), 1u);  // the result is there all the same
  EXPECT_EQ(out[0].events.size(), 1u);
}

TEST(WorldConcurrent, TheApplicationNeverWaits) {
  ConcurrentWorld world;
  std::vector<BodyId> ids;
  for (int i = 0; i < 200; ++i) ids.push_back(world.add(cube(), at(0.5 * i)));
  world.on_contact(nullptr);
  std::atomic<int> long_checks = 0;
  world.on_contact([&](const WorldEvent& e) {
    if (e.a.slot != 0) return;
    ++long_checks;
    std::this_thread::sleep_for(100ms);  // a check that takes its time
  });
  world.post();
  std::vector<double> seconds;
  std::vector<CheckResult> out;
  const auto end = std::chrono::steady_clock::now() + 300ms;
  const auto timed = [&](auto&& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  for (int frame = 0; std::chrono::steady_clock::now() < end; ++frame) {
    for (int i = 0; i < 200; ++i)
      timed([&] { world.move(ids[static_cast<std::size_t>(i)], at(0.5 * i, 0.001 * frame)); });
    timed([&] { world.post(); });
    timed([&] { world.take(out); });
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_GT(long_checks, 0);
  std::sort(seconds.begin(), seconds.end());
  EXPECT_LT(seconds[seconds.size() * 99 / 100], 50e-6);
}

TEST(WorldConcurrent, EndsCleanlyAtAnyMoment) {
  std::mt19937_64 random(RandomBudget::seed(2));
  RandomBudget budget(30);
  while (budget.more()) {
    ConcurrentWorld world({.world = {.threads = 2}});
    std::vector<BodyId> ids;
    for (int i = 0; i < 30; ++i) ids.push_back(world.add(cube(), random_pose(random, 3)));
    const std::uint64_t frames = random() % 20;
    for (std::uint64_t f = 0; f < frames; ++f) {
      for (const BodyId id : ids)
        if (world.has(id) && random() % 40 == 0)
          world.remove(id);
        else if (world.has(id))
          world.move(id, random_pose(random, 3));
      world.post();
      std::vector<CheckResult> out;
      if (random() % 4 == 0) world.take(out);
    }
    if (random() % 2) std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
  }
}

/// The same calls give the same events as in line, frame by frame.
TEST(WorldConcurrent, EveryFrameIsAsInLine) {
  std::mt19937_64 random(4);
  ConcurrentWorld beside({.every_frame = true});
  World world;
  std::vector<BodyId> ids;
  std::uint64_t hash = 0;
  for (int frame = 0; frame < 20; ++frame) {
    const Pose pose = random_pose(random, 3);
    ids.push_back(world.add(cube(), pose));
    ASSERT_EQ(beside.add(cube(), pose), ids.back());
    if (frame % 5 == 4) {
      world.remove(ids[static_cast<std::size_t>(frame) / 2]);
      beside.remove(ids[static_cast<std::size_t>(frame) / 2]);
    }
    for (const BodyId id : ids) {
      ASSERT_EQ(world.has(id), beside.has(id));
      if (!world.has(id)) continue;
      const Pose next = random_pose(random, 3);
      world.move(id, next);
      beside.move(id, next);
    }
    hash = event_hash(world.check().events, hash);
    beside.post();
  }
  std::uint64_t other = 0;
  for (const CheckResult& r : all_of(beside)) other = event_hash(r.events, other);
  EXPECT_EQ(hash, other);
}

}  // namespace
}  // namespace graze::testing
