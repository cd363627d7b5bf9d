// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;

TEST(WorldCheck, BeginsStaysAndEndsOnceEach) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(3));
  EXPECT_EQ(texts(world.check().events), Texts{});
  world.move(b, at(0.5));
  const CheckResult began = world.check();
  ASSERT_EQ(texts(began.events), Texts{"began 0 1"});
  EXPECT_EQ(began.events[0].a, a);
  EXPECT_EQ(began.events[0].b, b);
  EXPECT_EQ(began.events[0].pose_b, at(0.5));
  EXPECT_EQ(began.events[0].frame, 2u);
  // The witness is that of `collide`.
  const CollideResult expected = collide(cube(), at(0), cube(), at(0.5));
  EXPECT_EQ(began.events[0].contact, expected.kind);
  EXPECT_EQ(began.events[0].features, expected.features);
  EXPECT_EQ(*began.events[0].pair, expected.pairs[0]);
  // Nothing moved: nothing is asked.
  const CheckResult still = world.check();
  EXPECT_EQ(texts(still.events), Texts{});
  EXPECT_EQ(still.counters.asked, 0u);
  EXPECT_EQ(world.touching().size(), 1u);
  world.move(a, at(0.25));
  EXPECT_EQ(texts(world.check().events), Texts{"stays 0 1"});
  world.move(a, at(-0.5));  // the faces touch
  EXPECT_EQ(world.check().events.at(0).contact, ContactKind::touching);
  world.move(a, at(-0.75));
  EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
  world.move(a, at(-9));
  EXPECT_EQ(texts(world.check().events), Texts{});
}

/// One event for a pair in a check at most; a pair that rests is asked nothing, and nothing is said of it.
TEST(WorldCheck, StaysComesForPairsThatMoveAndTouchingListsThoseThatRest) {
  World world;
  const BodyId floor = world.add(Body(make::box({.size = {20, 20, 1}})), at(0, 0, -1));
  std::vector<BodyId> boxes;
  for (int i = 0; i < 3; ++i) boxes.push_back(world.add(cube(), at(3 * i)));
  EXPECT_EQ(world.check().events.size(), 3u);
  for (int frame = 0; frame < 3; ++frame) {
    world.move(boxes[1], at(3, 0.1 * frame));
    const CheckResult r = world.check();
    EXPECT_EQ(texts(r.events), Texts{"stays 0 2"});
    EXPECT_EQ(r.counters.asked, 1u);
    EXPECT_EQ(world.touching().size(), 3u);
  }
  EXPECT_TRUE(world.check().events.empty());
  world.move(floor, at(0, 0, -1));  // moved to where it is: asked again
  EXPECT_EQ(texts(world.check().events), (Texts{"stays 0 1", "stays 0 2", "stays 0 3"}));
  world.move(floor, at(0, 0, -2));
  EXPECT_EQ(texts(world.check().events), (Texts{"ended 0 1", "ended 0 2", "ended 0 3"}));
  EXPECT_TRUE(world.touching().empty());
}

TEST(WorldCheck, RemovedBodiesEndTheirContactsAndTheirIdsStayDead) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5));
  world.check();
  world.remove(b);
  EXPECT_FALSE(world.has(b));
  EXPECT_THROW(world.move(b, at(1)), Error);
  EXPECT_THROW(world.remove(b), Error);
  EXPECT_THROW(world.interest(a, b, false), Error);
  const BodyId c = world.add(cube(), at(0.5));
  EXPECT_EQ(c.slot, b.slot);
  EXPECT_NE(c, b);
  EXPECT_THROW(world.pose(b), Error);
  const CheckResult r = world.check();
  ASSERT_EQ(r.events.size(), 2u);  // the end of the old one, the beginning of the new one
  EXPECT_EQ(r.events[0].kind, EventKind::ended);
  EXPECT_EQ(r.events[0].b, b);
  EXPECT_EQ(r.events[1].kind, EventKind::began);
  EXPECT_EQ(r.events[1].b, c);
  try {
    world.move(b, at(0));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().code, ErrorCode::index_out_of_range);
    EXPECT_EQ(error.detail().element, "body");
    EXPECT_EQ(error.detail().id, b.slot);
  }
}

TEST(WorldCheck, InterestMayChangeAtAnyTime) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5)), c = world.add(cube(), at(0, 0.5));
  world.interest(a, b, false);
  const CheckResult first = world.check();
  EXPECT_EQ(texts(first.events), (Texts{"began 0 2", "began 1 2"}));
  EXPECT_EQ(first.counters.of_no_interest, 1u);
  EXPECT_EQ(first.counters.asked, 2u);
  world.interest(a, b, true);  // nothing moved, and yet it is asked
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  world.interest(c, false);
  EXPECT_EQ(texts(world.check().events), (Texts{"ended 0 2", "ended 1 2"}));
  world.groups(b, 2, 2);
  EXPECT_EQ(texts(world.check().events), Texts{"stays 0 1"});  // the pair's own word wins
  world.set_pair(a, b, {});
  EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
  world.groups(b, 3, 3);
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
}

TEST(WorldCheck, PairsMayHaveTheirOwnMethod) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5));
  world.set_pair(a, b, {.method = "separating_plane"});  // certain of `free` alone
  CheckResult r = world.check();
  EXPECT_EQ(r.events.size(), 0u);
  ASSERT_EQ(r.undecided.size(), 1u);
  EXPECT_EQ(r.undecided[0].b, b);
  EXPECT_FALSE(r.undecided[0].in_contact);
  r = world.check();  // asked again, as it is still not known
  EXPECT_EQ(r.undecided.size(), 1u);
  world.set_pair(a, b, {.method = "brute"});
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  EXPECT_THROW(world.set_pair(a, b, {.method = "no such"}), Error);
  EXPECT_THROW(world.set_pair(a, a, {}), Error);
}

/// Methods that are certain of one side only are used on request, and their doubt is told.
TEST(WorldCheck, OneSidedMethodsLeaveTheOtherSideUndecided) {
  const Body ball(make::sphere({.triangles = 200}));
  const double r = ball.mesh().box().hi.z;
  for (const char* method : {"relaxed", "precheck_only"}) {
    SCOPED_TRACE(method);
    World world;
    const BodyId a = world.add(ball), b = world.add(ball, at(0.9 * r, 0.1 * r, 0.2 * r));
    world.set_pair(a, b, {.method = method});
    const bool sure_of_contact = std::string(method) == "relaxed";
    const CheckResult crossed = world.check();
    EXPECT_EQ(crossed.events.size(), sure_of_contact ? 1u : 0u);
    EXPECT_EQ(crossed.undecided.size(), sure_of_contact ? 0u : 1u);
    for (const WorldEvent& e : crossed.events) EXPECT_TRUE(e.certain);
    // Apart, with boxes that overlap.
    world.move(b, at(1.9 * r, 1.9 * r, 1.9 * r));
    const CheckResult apart = world.check();
    EXPECT_TRUE(apart.events.empty());
    ASSERT_EQ(apart.undecided.size(), sure_of_contact ? 1u : 0u);
    for (const UndecidedPair& u : apart.undecided) EXPECT_TRUE(u.in_contact);
    world.set_pair(a, b, {});
    EXPECT_EQ(world.check().events.size(), sure_of_contact ? 1u : 0u);  // ended
  }
}

TEST(WorldCheck, SolidBodiesInsideEachOther) {
  World world({.solid = true});
  world.add(cube());
  const BodyId small = world.add(Body(make::box({.size = {0.1, 0.1, 0.1}})));
  const CheckResult r = world.check();
  ASSERT_EQ(r.events.size(), 1u);
  EXPECT_EQ(r.events[0].contained, Containment::b_in_a);
  EXPECT_THROW(world.add(Body(make::cloth_sheet({.triangles = 8}))), Error);
  world.remove(small);
  EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
}

/// Everything that could be looked through for each of many: one frame, one partner, one other with pair settings.
TEST(WorldCheck, ManyBodiesAreNotLookedThroughForEach) {
  const int side = RandomBudget::is_whole() ? 250 : 60;
  World world;
  const FrameId frame = world.add_frame();
  const double width = 2.0 * side;
  const BodyId floor = world.add(Body(make::box({.size = {2 * width, 2 * width, 1}})), at(0, 0, -1));
  std::vector<BodyId> ids;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y) {
      ids.push_back(world.add(cube(), at(2 * x - side, 2 * y - side), {.frame = frame}));
      world.set_pair(floor, ids.back(), {.tolerance = 1e-3});
    }
  EXPECT_EQ(world.check().events.size(), ids.size());
  world.move(frame, at(0.25));
  EXPECT_EQ(world.check().events.size(), ids.size());
  world.move(floor, at(0, 0, -2));
  EXPECT_EQ(world.check().counters.contacts, 0u);
  world.move(floor, at(0, 0, -1));
  world.check();
  EXPECT_EQ(world.touching().size(), ids.size());
  for (const BodyId id : ids) world.remove(id);
  EXPECT_EQ(world.check().events.size(), ids.size());
  EXPECT_EQ(world.size(), 1u);
  world.remove_frame(frame);
}

TEST(WorldFrames, MovingAFrameMovesEverythingBelow) {
  World world({.threads = 2});
  const FrameId base = world.add_frame(), arm = world.add_frame(at(0, 2), base),
                hand = world.add_frame(at(0, 0, 2), arm);
  const BodyId wall = world.add(cube(), at(5, 2, 2));
  const BodyId tool = world.add(cube(), Pose(), {.name = "tool", .frame = hand});
  EXPECT_EQ(world.pose(tool), at(0, 2, 2));
  EXPECT_EQ(texts(world.check().events), Texts{});
  world.move(base, at(4.5));
  EXPECT_EQ(world.pose(tool), at(4.5, 2, 2));  // before any check
  const CheckResult r = world.check();
  EXPECT_EQ(texts(r.events), Texts{"began 0 1"});
  EXPECT_EQ(r.counters.bodies_placed, 1u);
  world.move(base, Pose({4.5, 0, 0}, {1, 0, 0, 1}));  // a quarter turn about z: the arm goes to x = 2.5
  EXPECT_EQ(texts(world.check().events), Texts{"ended 0 1"});
  EXPECT_NEAR(world.pose(tool).translation().x, 2.5, 1e-12);
  EXPECT_THROW(world.remove_frame(hand), Error);
  world.attach(tool, std::nullopt, at(5, 2, 2.5));
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  world.remove_frame(hand);
  EXPECT_THROW(world.move(hand, Pose()), Error);
  EXPECT_TRUE(world.has(wall));
}

TEST(WorldCallbacks, PairBodyAndGeneralInThisOrder) {
  World world;
  int data = 7;
  const BodyId a = world.add(cube(), Pose(), {.data = &data}), b = world.add(cube(), at(0.5));
  Texts calls;
  world.on_contact([&](const WorldEvent&) { calls.push_back("general"); });
  world.on_contact(b, [&](const WorldEvent&) { calls.push_back("b"); });
  world.on_contact(a, [&](const WorldEvent& e) { calls.push_back(e.data_a == &data ? "a" : "no data"); });
  world.on_contact(b, a, [&](const WorldEvent&) { calls.push_back("pair"); });
  world.check();
  EXPECT_EQ(calls, (Texts{"pair", "a", "b", "general"}));
  calls.clear();
  world.on_contact(b, nullptr);
  world.remove(a);  // its callbacks still hear of the end
  world.check();
  EXPECT_EQ(calls, (Texts{"pair", "a", "general"}));
}

TEST(WorldCallbacks, MayMoveAddAndRemove) {
  World world;
  const BodyId a = world.add(cube()), b = world.add(cube(), at(0.5)), c = world.add(cube(), at(0.25));
  std::vector<BodyId> added;
  world.on_contact([&](const WorldEvent& e) {
    EXPECT_THROW(world.check(), Error);
    if (e.kind != EventKind::began) return;
    if (world.has(c)) world.remove(c);
    world.move(b, at(20));
    added.push_back(world.add(cube(), at(20.5)));
  });
  EXPECT_EQ(world.check().events.size(), 3u);
  EXPECT_EQ(added.size(), 3u);
  EXPECT_EQ(added[0].slot, c.slot);
  const CheckResult r = world.check();
  // Three ends (two of the removed body), and the new bodies with b and each other.
  EXPECT_EQ(std::count_if(r.events.begin(), r.events.end(), [](auto& e) { return e.kind == EventKind::ended; }), 3);
  EXPECT_EQ(std::count_if(r.events.begin(), r.events.end(), [](auto& e) { return e.kind == EventKind::began; }), 6);
  EXPECT_TRUE(world.has(a));
}

TEST(WorldCallbacks, MayThrowAndNothingIsLost) {
  World world;
  for (int i = 0; i < 4; ++i) world.add(cube(), at(10 * (i / 2), 0.5 * (i % 2)));
  int calls = 0;
  world.on_contact([&](const WorldEvent&) {
    if (++calls == 1) throw std::runtime_error("no");
  });
  CheckResult result;
  EXPECT_THROW(world.check({}, result), std::runtime_error);
  EXPECT_EQ(result.events.size(), 2u);
  EXPECT_EQ(world.touching().size(), 2u);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(world.check().events.size(), 0u);  // told once, but the second callback had not run yet
  EXPECT_EQ(calls, 2);
}

TEST(WorldCallbacks, InParallelTheyMayStillCallTheWorld) {
  World world({.threads = 4});
  std::vector<BodyId> ids;
  for (int i = 0; i < 64; ++i) ids.push_back(world.add(cube(), at(10 * (i / 2), 0.5 * (i % 2))));
  std::atomic<int> calls = 0;
  world.on_contact([&](const WorldEvent& e) {
    ++calls;
    const Vec3 t = world.pose(e.b).translation();
    world.move(e.b, Pose(t + Vec3{0, 0, 5}));
    world.remove(world.add(cube(), at(-50)));
  });
  world.check({.callbacks = CallbackOrder::in_parallel});
  EXPECT_EQ(calls, 32);
  EXPECT_EQ(world.size(), 64u);
  EXPECT_EQ(world.check().events.size(), 32u);
}

}  // namespace
}  // namespace graze::testing
