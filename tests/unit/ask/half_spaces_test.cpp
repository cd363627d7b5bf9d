// SPDX-License-Identifier: MIT
// Two half-spaces: apart only while they face each other exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <graze/graze.hpp>

namespace graze {
namespace {

const Body& ground() {
  static const Body body{shape::Shape(shape::HalfSpace{})};
  return body;
}
/// Upside down: all points above this height.
Pose ceiling(double height, double x = 0) { return Pose({x, 3, height}, {0, 1, 0, 0}); }

TEST(HalfSpaces, TheDistanceComesWithPointsAndANormal) {
  const DistanceResult d = distance(ground(), Pose({7, 0, 1}), ground(), ceiling(3));
  EXPECT_EQ(d.distance, 2);
  ASSERT_TRUE(d.normal);
  EXPECT_EQ(*d.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(d.points[0].z, 1);
  EXPECT_EQ(d.points[1].z, 3);
  const CollideResult touch = collide(ground(), Pose({7, 0, 1}), ground(), ceiling(1));
  ASSERT_TRUE(touch.points && touch.normal);
  EXPECT_EQ((*touch.points)[0].z, 1);
  EXPECT_EQ(*touch.normal, (Vec3{0, 0, 1}));
}

TEST(HalfSpaces, FirstContactOfALift) {
  const auto lift = [](double to, const FirstContactOptions& options = {}) {
    return first_contact(ground(), Velocity(Pose(), Pose({1, 0, to})), ground(), Still{ceiling(4)}, options);
  };
  EXPECT_EQ(lift(3).status, Status::free);
  const FirstContactResult hit = lift(8);
  ASSERT_EQ(hit.status, Status::contact);
  EXPECT_LT(hit.time.safe, 0.5);
  EXPECT_NEAR(hit.time.touch, 0.5, 1e-5);
  EXPECT_LE(hit.gap, hit.tolerance);
  EXPECT_GT(hit.gap, 0);
  ASSERT_TRUE(hit.points && hit.normal);
  EXPECT_NEAR((*hit.points)[1].z, 4, 1e-12);
  EXPECT_EQ(lift(3, {.min_separation = 1.5}).status, Status::contact);
  EXPECT_NEAR(lift(3, {.min_separation = 1.5}).time.touch, 2.5 / 3, 1e-5);
  EXPECT_EQ(lift(3, {.min_separation = 0.5}).status, Status::free);
  EXPECT_EQ(lift(3, {.min_separation = 4}).status, Status::touching_at_start);
  EXPECT_EQ(motion_free(ground(), Velocity(Pose(), Pose({1, 0, 3})), ground(), Still{ceiling(4)}).status, Status::free);
}

TEST(HalfSpaces, AnEndThatTouchesExactlyIsAContact) {
  const auto r = first_contact(ground(), Velocity(Pose(), Pose({1, 0, 4})), ground(), Still{ceiling(4)});
  EXPECT_EQ(r.status, Status::contact);
  const auto near =
      first_contact(ground(), Velocity(Pose(), Pose({1, 0, std::nextafter(4, 0)})), ground(), Still{ceiling(4)});
  EXPECT_EQ(near.status, Status::free);
}

TEST(HalfSpaces, OneThatTurnsMeetsTheOtherAtOnce) {
  const auto r = first_contact(ground(), Velocity(Pose(), Pose({}, {1, 0.001, 0, 0})), ground(), Still{ceiling(4)});
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_EQ(r.time.safe, 0);
  EXPECT_GT(r.time.touch, 0);
  EXPECT_LT(r.time.touch, 1e-300);
  // All that do not face each other overlap from the start.
  EXPECT_EQ(first_contact(ground(), Still{}, ground(), Still{Pose({0, 0, 9})}).status, Status::touching_at_start);
}

TEST(HalfSpaces, AStartThatOpens) {
  const auto rising = [](double to, bool ignore) {
    return first_contact(ground(), Still{}, ground(), Velocity(ceiling(0), ceiling(to)),
                         {.ignore_start_if_separating = ignore})
        .status;
  };
  EXPECT_EQ(rising(1, false), Status::touching_at_start);
  EXPECT_EQ(rising(1, true), Status::free);
  EXPECT_EQ(rising(-1, true), Status::touching_at_start);
  EXPECT_EQ(rising(0, true), Status::touching_at_start);
}

TEST(HalfSpaces, SweptInARoomOfFourWalls) {
  World world;
  world.add(ground(), Pose(), {.name = "floor"});
  const BodyId lid = world.add(ground(), ceiling(6), {.name = "ceiling"});
  world.add(ground(), Pose({-3, 0, 0}, {1, 0, 1, 0}), {.name = "wall"});
  world.add(ground(), Pose({3, 0, 0}, {1, 0, -1, 0}), {.name = "wall"});
  const BodyId ball = world.add(Body(shape::Sphere{0.5}), Pose({0, 0, 2}));
  // Walls meet the floor, which is no secret: the first sweep says so.
  EXPECT_EQ(world.sweep().status, Status::touching_at_start);
  world.move(ball, Pose({5, 0, -4}));
  SweepResult r = world.sweep({.advance = true, .each = true});
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_NEAR(world.pose(ball).translation().z, 0.5, 1e-4);
  EXPECT_GT(world.pose(ball).translation().z, 0.5);
  world.move(ball, Pose({1, 0, 2}));
  EXPECT_EQ(world.sweep({.advance = true, .each = true, .ignore_start_if_separating = true}).status, Status::free);
  // The ceiling comes down on it. It crosses the walls from the start.
  world.move(lid, ceiling(1));
  r = world.sweep();
  EXPECT_EQ(r.status, Status::touching_at_start);
  const auto of_ball =
      std::find_if(r.contacts.begin(), r.contacts.end(), [&](const SweepContact& c) { return c.b == ball; });
  ASSERT_NE(of_ball, r.contacts.end());
  EXPECT_NEAR(of_ball->contact.time.touch, 3.5 / 5, 1e-5);
}

}  // namespace
}  // namespace graze
