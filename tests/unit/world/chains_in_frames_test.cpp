// SPDX-License-Identifier: MIT
// Articulated bodies whose base is attached to a frame.
#include <gtest/gtest.h>

#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

/// An arm of two links, turning about z.
Chain arm() {
  Joint upper, hand;
  upper.type = hand.type = JointType::revolute;
  hand.origin = at(2);
  return Chain({{"upper", "", upper}, {"hand", "upper", hand}});
}

std::vector<LinkBody> arm_bodies() {
  const Body rod(make::box({.size = {1.5, 0.2, 0.2}}));
  return {{LinkId{0}, rod}, {LinkId{1}, rod}};
}

using Coordinates = std::vector<double>;

void expect_near(const Pose& x, const Pose& y) {
  for (const Vec3 p : {Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    EXPECT_LT(length(x.apply(p) - y.apply(p)), 1e-12);
}

/// The same world with the base given in world coordinates, by hand.
struct Expected {
  World world;
  ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0});
  Pose link(std::size_t i, const Coordinates& q, const Pose& base) {
    world.move(robot, q, base);
    return world.pose(world.bodies(robot)[i]);
  }
};

TEST(ChainInFrame, FollowsTheFrame) {
  Expected expected;
  World world;
  const FrameId cart = world.add_frame(at(5)), table = world.add_frame(at(0, 1), cart);
  const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0.1, 0.2}, at(0, 0, 1), {.frame = table});
  const std::vector<BodyId> links = world.bodies(robot);
  for (std::size_t i = 0; i < 2; ++i) expect_near(world.pose(links[i]), expected.link(i, {0.1, 0.2}, at(5, 1, 1)));
  world.move(cart, Pose({5, 0, 0}, {1, 0, 0, 1}));  // a quarter turn about z
  for (std::size_t i = 0; i < 2; ++i)
    expect_near(world.pose(links[i]), expected.link(i, {0.1, 0.2}, Pose({4, 0, 1}, {1, 0, 0, 1})));
  world.move(robot, Coordinates{0.3, 0.4});  // before anything is placed
  for (std::size_t i = 0; i < 2; ++i)
    expect_near(world.pose(links[i]), expected.link(i, {0.3, 0.4}, Pose({4, 0, 1}, {1, 0, 0, 1})));
  world.check();
  for (std::size_t i = 0; i < 2; ++i)
    expect_near(world.pose(links[i]), expected.link(i, {0.3, 0.4}, Pose({4, 0, 1}, {1, 0, 0, 1})));
  world.attach(robot, std::nullopt, at(9));
  for (std::size_t i = 0; i < 2; ++i) expect_near(world.pose(links[i]), expected.link(i, {0.3, 0.4}, at(9)));
  world.move(cart, at(7));
  world.check();
  for (std::size_t i = 0; i < 2; ++i) expect_near(world.pose(links[i]), expected.link(i, {0.3, 0.4}, at(9)));
  world.attach(robot, cart, at(1));
  for (std::size_t i = 0; i < 2; ++i) expect_near(world.pose(links[i]), expected.link(i, {0.3, 0.4}, at(8)));
}

TEST(ChainInFrame, ChecksSeeTheLinks) {
  World world;
  const FrameId cart = world.add_frame();
  const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0}, Pose(), {.frame = cart});
  world.add(cube(), at(0, 9));
  EXPECT_TRUE(world.check().events.empty());
  world.move(cart, at(0, 9));
  EXPECT_EQ(texts(world.check().events), std::vector<std::string>{"began 0 2"});
  world.move(robot, Coordinates{0, 0}, at(3));
  EXPECT_EQ(texts(world.check().events), std::vector<std::string>{"ended 0 2"});
}

TEST(ChainInFrame, SweepsFromWhereTheFrameWas) {
  for (const bool teleport : {false, true}) {
    World world;
    const FrameId train = world.add_frame(at(-9));
    const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0}, Pose(), {.frame = train});
    world.add(Body(make::box({.size = {0.1, 9, 9}})));
    world.sweep();
    if (teleport)
      world.teleport(train, at(9));
    else
      world.move(train, at(9));
    EXPECT_EQ(world.sweep().status, teleport ? Status::free : Status::contact);
    world.teleport(robot, Coordinates{0, 1}, at(0, 3));
    EXPECT_EQ(world.sweep().status, Status::free);
  }
}

TEST(ChainInFrame, AdvanceHoldsTheBaseUntilTheFrameMoves) {
  for (const bool each : {false, true}) {
    World world;
    const Pose there({7, 1, 0.5}, {0.9, 0.1, 0.2, 0.3});
    const FrameId train = world.add_frame(Pose({-9, 1, 0.5}, {0.9, 0.1, 0.2, 0.3}));
    const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0}, at(0, 0.5), {.frame = train});
    world.add(Body(make::box({.size = {0.1, 30, 30}})));
    world.sweep();
    world.move(train, there);
    world.move(robot, Coordinates{0.5, 0.25});
    const SweepResult r = world.sweep({.advance = true, .each = each});
    ASSERT_EQ(r.status, Status::contact);
    EXPECT_TRUE(brute_contacts(world).empty());
    EXPECT_EQ(world.pose(train), there);
    const std::vector<BodyId> links = world.bodies(robot);
    const Pose hand = world.pose(links[1]);
    EXPECT_LT(hand.translation().x, 0);
    EXPECT_TRUE(world.check().events.empty());
    EXPECT_EQ(world.pose(links[1]), hand);
    EXPECT_EQ(world.sweep({.advance = true}).status, Status::free);
    // The frame takes it along from where it is.
    world.move(train, Pose({-1, 1, 0.5}, {0.9, 0.1, 0.2, 0.3}));
    EXPECT_LT(length(world.pose(links[1]).translation() - (hand.translation() + Vec3{-8, 0, 0})), 1e-9);
    EXPECT_EQ(world.sweep({.advance = true}).status, Status::free);
  }
}

TEST(ChainInFrame, ALimitKeepsTheRest) {
  World world;
  const FrameId train = world.add_frame(at(-9));
  const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0}, Pose(), {.frame = train});
  world.add(Body(make::box({.size = {0.1, 9, 9}})));
  world.sweep();
  world.move(train, at(9));
  ASSERT_EQ(world.sweep({.advance = true, .work = 1}).status, Status::undecided);
  const BodyId hand = world.bodies(robot)[1];
  ASSERT_TRUE(world.destination(hand));
  EXPECT_NEAR(world.destination(hand)->translation().x, 11, 1e-12);
  EXPECT_EQ(world.sweep({.advance = true}).status, Status::contact);  // the rest
  EXPECT_FALSE(world.destination(hand));
  EXPECT_TRUE(brute_contacts(world).empty());
}

TEST(ChainInFrame, Refusals) {
  World world;
  const FrameId cart = world.add_frame();
  const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0}, Pose(), {.frame = cart});
  const std::vector<BodyId> links = world.bodies(robot);
  EXPECT_THROW(world.remove_frame(cart), Error);
  EXPECT_THROW(world.attach(links[0], cart, Pose()), Error);
  EXPECT_THROW(world.move(robot, Coordinates{0}), Error);
  EXPECT_THROW(world.attach(robot, FrameId{7, 0}, Pose()), Error);
  EXPECT_THROW(world.add(arm(), arm_bodies(), Coordinates{0, 0}, Pose(), {.frame = FrameId{7, 0}}), Error);
  EXPECT_EQ(world.size(), 2u);
  // Frames beyond the largest double: the question is refused, and nothing is lost.
  world.move(cart, at(1.7e308));
  world.move(robot, Coordinates{0, 0}, at(1.7e308));
  EXPECT_THROW(world.pose(links[0]), Error);
  EXPECT_THROW(world.check(), Error);
  EXPECT_THROW(world.check(), Error);
  world.move(cart, at(-1.7e308));
  EXPECT_EQ(world.pose(links[0]), Pose());
  world.check();
  world.remove(robot);
  world.remove_frame(cart);
  world.check();
}

TEST(ChainInFrame, AddedInFramesBeyondAllDoubles) {
  World world;
  const FrameId far = world.add_frame(at(1.7e308)), farther = world.add_frame(at(1.7e308), far);
  const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0}, Pose(), {.frame = farther});
  world.add(cube());
  EXPECT_EQ(world.sweep().status, Status::invalid_request);
  world.move(far, at(-1.7e308));
  EXPECT_EQ(world.sweep().status, Status::touching_at_start);  // its path starts at its first finite pose
  EXPECT_EQ(world.bodies(robot).size(), 2u);
}

TEST(ChainInFrame, BesideTheApplicationAndReplayed) {
  const std::string file = ::testing::TempDir() + "graze_chain_in_frame.rec";
  std::uint64_t concurrent = 0, serial = 0;
  const auto play = [&](auto& world, auto&& check) {
    const FrameId cart = world.add_frame(), other = world.add_frame(at(0, 1));
    const ArticulatedId robot = world.add(arm(), arm_bodies(), Coordinates{0, 0}, Pose(), {.frame = cart});
    world.add(cube(), at(0, 9));
    check();
    for (int i = 0; i < 6; ++i) {
      world.move(cart, at(0.1 * i, 1.6 * i));
      if (i == 3) world.attach(robot, other, at(0, 7.5));
      if (i == 4) world.remove_frame(cart);
      world.move(robot, Coordinates{0.1 * i, 0.2 * i});
      check();
      if (i == 4) break;
    }
    world.remove(robot);
    world.remove_frame(other);
    check();
  };
  {
    ConcurrentOptions options;
    options.every_frame = true;
    ConcurrentWorld world(options);
    world.record(file);
    play(world, [&] { world.post(); });
    world.wait();
    std::vector<CheckResult> results;
    world.take(results);
    for (const CheckResult& r : results) concurrent = event_hash(r.events, concurrent);
  }
  World world;
  std::size_t events = 0;
  play(world, [&] {
    const CheckResult r = world.check();
    events += r.events.size();
    serial = event_hash(r.events, serial);
  });
  EXPECT_GT(events, 0u);
  EXPECT_EQ(serial, concurrent);
  const ReplayResult r = replay_world(file);
  EXPECT_TRUE(r.different.empty());
  EXPECT_EQ(r.event_hash, serial);
}

}  // namespace
}  // namespace graze::testing
