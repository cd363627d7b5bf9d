// SPDX-License-Identifier: MIT
// What an application's loop needs: bodies that are put somewhere, triggers, bodies that stop one by one, frames that
// change their parent, callbacks that must not call.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <sstream>

#include "unit/world/help.hpp"

namespace graze {
namespace {

using testing::at;
using testing::cube;

TEST(Teleport, IsNoPath) {
  World world;
  const BodyId a = world.add(cube(), at(-5));
  world.add(cube(), at(0));
  world.sweep();
  world.teleport(a, at(5));
  EXPECT_EQ(world.sweep().status, Status::free);
  EXPECT_EQ(world.pose(a).translation().x, 5);
  world.move(a, at(-5));
  EXPECT_EQ(world.sweep().status, Status::contact);
  // From the new pose on, moves count.
  world.teleport(a, at(5));
  world.move(a, at(-5));
  EXPECT_EQ(world.sweep().status, Status::contact);
  // Checks see where it is.
  world.teleport(a, at(0.5));
  EXPECT_EQ(testing::texts(world.check().events), std::vector<std::string>{"began 0 1"});
}

TEST(Teleport, ForgetsDeformationAndRest) {
  World world;
  const BodyId a = world.add(cube(), at(-5)), b = world.add(cube(), at(0));
  world.sweep();
  std::vector<Vec3> positions(cube().mesh().positions().begin(), cube().mesh().positions().end());
  for (Vec3& x : positions) x.x += 10;
  world.deform(a, positions);
  world.teleport(a, at(-5));
  EXPECT_EQ(world.sweep().status, Status::free);
  world.move(b, at(0, 3));
  EXPECT_TRUE(world.sweep({.advance = true}).error == std::nullopt);
}

TEST(Teleport, OfFramesAndArticulatedBodies) {
  World world;
  const FrameId outer = world.add_frame(at(-5)), inner = world.add_frame(Pose(), outer);
  const BodyId carried = world.add(cube(), Pose(), {.frame = inner});
  world.add(cube(), at(0));
  world.sweep();
  world.teleport(outer, at(5));
  EXPECT_EQ(world.sweep().status, Status::free);
  EXPECT_EQ(world.pose(carried).translation().x, 5);
  world.move(outer, at(-5));
  EXPECT_EQ(world.sweep().status, Status::contact);

  Link slide;
  slide.name = "slide";
  slide.joint.type = JointType::prismatic;
  slide.joint.axis = {1, 0, 0};
  const Chain chain({slide});
  World other;
  const std::vector<LinkBody> links{{LinkId{0}, cube()}};
  const ArticulatedId arm = other.add(chain, links, std::vector<double>{-5});
  other.add(cube(), at(0));
  other.sweep();
  other.teleport(arm, std::vector<double>{5});
  EXPECT_EQ(other.sweep().status, Status::free);
  other.move(arm, std::vector<double>{-5});
  EXPECT_EQ(other.sweep().status, Status::contact);
  EXPECT_THROW(other.teleport(other.bodies(arm)[0], at(1)), Error);  // a link is moved by its chain
}

TEST(Trigger, CausesEventsAndStopsNobody) {
  World world;
  const BodyId zone = world.add(cube(), at(0), {.name = "zone", .trigger = true});
  const BodyId runner = world.add(cube(), at(-5));
  world.sweep();
  world.move(runner, at(5));
  const SweepResult through = world.sweep({.advance = true});
  EXPECT_EQ(through.status, Status::free);
  EXPECT_TRUE(through.contacts.empty());
  ASSERT_EQ(through.triggers.size(), 1u);
  EXPECT_EQ(through.triggers[0].a, zone);
  EXPECT_NEAR(through.triggers[0].contact.time.touch, 0.4, 1e-3);
  EXPECT_EQ(world.pose(runner).translation().x, 5);
  world.move(runner, at(0.5));
  const CheckResult inside = world.check();
  ASSERT_EQ(inside.events.size(), 1u);
  EXPECT_TRUE(inside.events[0].trigger);
  world.trigger(zone, false);
  EXPECT_FALSE(world.check().events.at(0).trigger);
  world.move(runner, at(-5));
  world.sweep();
  world.move(runner, at(5));
  EXPECT_EQ(world.sweep().status, Status::contact);
}

TEST(Trigger, BehindAnObstacleIsNotReached) {
  for (const bool each : {false, true}) {
    World world;
    world.add(cube(), at(3), {.trigger = true});
    world.add(cube(), at(0));
    const BodyId before = world.add(cube(), at(-2.5), {.trigger = true}), runner = world.add(cube(), at(-5));
    world.sweep();
    world.move(runner, at(5));
    const SweepResult r = world.sweep({.advance = true, .each = each});
    EXPECT_EQ(r.status, Status::contact);
    ASSERT_EQ(r.triggers.size(), 1u);
    EXPECT_EQ(r.triggers[0].a, before);
  }
}

TEST(AdvanceEach, OnlyThoseThatTouchStop) {
  World world;
  world.add(cube(), at(0));
  const BodyId hits = world.add(cube(), at(-5)), passes = world.add(cube(), at(-5, 20)),
               late = world.add(cube(), at(-5, 0.25, 3));
  const BodyId wall = world.add(cube(), at(4, 0.25, 3));
  (void)wall;
  world.sweep();
  world.move(hits, at(5));
  world.move(passes, at(5, 20));
  world.move(late, at(5, 0.25, 3));
  const SweepResult r = world.sweep({.advance = true, .each = true});
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_TRUE(r.advanced);
  EXPECT_EQ(r.contacts.size(), 2u);
  EXPECT_NEAR(world.pose(hits).translation().x, -1, 1e-3);
  EXPECT_EQ(world.pose(passes).translation().x, 5);
  EXPECT_NEAR(world.pose(late).translation().x, 3, 1e-3);
  EXPECT_NEAR(r.contacts[*r.earliest].contact.time.touch, 0.4, 1e-3);
  EXPECT_TRUE(world.check().events.empty());
  for (const BodyId id : world.bodies()) EXPECT_FALSE(world.destination(id));
  EXPECT_EQ(world.sweep().status, Status::free);  // everything has been covered
}

TEST(AdvanceEach, OneStopsAnother) {
  // The first cube hits the wall at 2/3; the second, behind it, runs into the first where it stands.
  World world;
  world.add(cube(), at(0));
  const BodyId first = world.add(cube(), at(-3)), second = world.add(cube(), at(-6));
  world.sweep();
  world.move(first, at(0));
  world.move(second, at(-0.5));
  const SweepResult r = world.sweep({.advance = true, .each = true});
  EXPECT_NEAR(world.pose(first).translation().x, -1, 1e-3);
  EXPECT_NEAR(world.pose(second).translation().x, -2, 1e-3);
  ASSERT_EQ(r.contacts.size(), 2u);
  EXPECT_NEAR(r.contacts[0].contact.time.touch, 2.0 / 3, 1e-3);
  EXPECT_NEAR(r.contacts[1].contact.time.touch, 4 / 5.5, 1e-3);
}

TEST(AdvanceEach, NeedsAdvance) {
  World world;
  EXPECT_EQ(world.sweep({.each = true}).status, Status::invalid_request);
  EXPECT_EQ(world.sweep({.earliest = true, .advance = true, .each = true}).status, Status::invalid_request);
}

TEST(AdvanceEach, RandomCrowdsNeverTouchAndTheSameForAnyThreads) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 6; ++round) {
    std::vector<Pose> from, to;
    for (int i = 0; i < 24; ++i) {
      from.push_back(testing::random_pose(random, 9));
      to.push_back(testing::random_pose(random, 9));
    }
    std::vector<std::vector<Pose>> ends;
    for (const int threads : {1, 3}) {
      World world({.threads = threads});
      std::vector<BodyId> ids;
      for (const Pose& p : from) {  // only those that start apart
        const BodyId id = world.add(cube(), p);
        if (!testing::brute_contacts(world).empty())
          world.remove(id);
        else
          ids.push_back(id);
      }
      world.sweep();
      for (const BodyId id : ids) world.move(id, to[id.slot]);
      const SweepResult r = world.sweep({.advance = true, .each = true});
      EXPECT_NE(r.status, Status::undecided);
      EXPECT_TRUE(testing::brute_contacts(world).empty());
      std::vector<Pose>& end = ends.emplace_back();
      int arrived = 0;
      for (const BodyId id : ids) {
        end.push_back(world.pose(id));
        arrived += world.pose(id) == to[id.slot];
        EXPECT_FALSE(world.destination(id));
      }
      // Who did not arrive was stopped by a contact.
      for (const BodyId id : ids) {
        const bool stopped = std::any_of(r.contacts.begin(), r.contacts.end(),
                                         [&](const SweepContact& c) { return c.a == id || c.b == id; });
        EXPECT_EQ(stopped, !(world.pose(id) == to[id.slot]));
      }
      EXPECT_GT(arrived, 0);
    }
    EXPECT_EQ(ends[0], ends[1]);
  }
}

TEST(Frames, ChangeTheirParent) {
  World world;
  const FrameId cart = world.add_frame(at(10)), hand = world.add_frame(at(0, 10)), box = world.add_frame(at(1), cart);
  const FrameId lid = world.add_frame(at(0, 0, 1), box);
  const BodyId thing = world.add(cube(), Pose(), {.frame = lid});
  EXPECT_EQ(world.pose(thing).translation(), (Vec3{11, 0, 1}));
  world.attach(box, hand, at(2));
  EXPECT_EQ(world.pose(thing).translation(), (Vec3{2, 10, 1}));
  world.move(hand, at(0, 20));
  world.check();
  EXPECT_EQ(world.pose(thing).translation(), (Vec3{2, 20, 1}));
  world.remove_frame(cart);  // nothing is attached to it any more
  EXPECT_THROW(world.attach(hand, lid, Pose()), Error);
  EXPECT_THROW(world.attach(box, box, Pose()), Error);
  world.attach(box, std::nullopt, Pose());
  EXPECT_EQ(world.pose(thing).translation(), (Vec3{0, 0, 1}));
}

TEST(BroadOptions, OfTheWorldAreUsed) {
  WorldOptions options;
  options.broad = "grid";
  options.broad_options.cell = -1;
  EXPECT_THROW(World{options}, Error);
  options.broad_options.cell = 2;
  World world(options);
  world.add(cube(), at(0));
  world.add(cube(), at(0.5));
  EXPECT_EQ(world.check().events.size(), 1u);
}

TEST(ConcurrentWorldCallbacks, MustNotCallIt) {
  for (const CallbackOrder order : {CallbackOrder::one_after_another, CallbackOrder::in_parallel}) {
    ConcurrentOptions options;
    options.check.callbacks = order;
    ConcurrentWorld world(options);
    const BodyId a = world.add(cube(), at(0));
    world.add(cube(), at(0.5));
    std::atomic<int> refused{0};
    world.on_contact([&](const WorldEvent&) {
      const auto expect_refused = [&](auto&& call) {
        try {
          call();
        } catch (const Error& error) {
          refused += error.detail().code == ErrorCode::bad_option;
        }
      };
      expect_refused([&] { world.move(a, at(1)); });
      expect_refused([&] { world.post(); });
      expect_refused([&] { world.wait(); });
      expect_refused([&] { world.ask_sweep(); });
      EXPECT_GE(world.posted(), 1u);  // these may be called from any thread
    });
    world.post();
    world.wait();
    EXPECT_EQ(refused, 4);
  }
}

TEST(Recording, OfTheNewCalls) {
  const std::string file = ::testing::TempDir() + "graze_application.rec";
  {
    World world;
    world.record(file);
    const FrameId f = world.add_frame(at(9)), g = world.add_frame(at(1), f);
    const BodyId a = world.add(cube(), at(-5)), zone = world.add(cube(), at(-2.5), {.trigger = true});
    world.add(cube(), at(0));
    const BodyId carried = world.add(cube(), at(0, 3), {.frame = g});
    world.sweep();
    world.teleport(a, at(-4));
    world.attach(g, std::nullopt, at(2));
    world.teleport(g, at(3));
    world.move(a, at(4));
    world.move(carried, at(0, 3));
    world.sweep();
    world.trigger(zone, false);
    world.check();
    world.teleport(a, at(-4));
    world.sweep();
    world.move(a, at(4));
    world.sweep({.advance = true, .each = true});
    world.check();
  }
  const ReplayResult r = replay_world(file);
  EXPECT_TRUE(r.different.empty());
  EXPECT_EQ(r.sweeps, 4u);
  EXPECT_EQ(r.checks, 2u);
}

}  // namespace
}  // namespace graze
