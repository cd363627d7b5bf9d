// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/make.hpp>

#include "buttons.hpp"
#include "flock.hpp"
#include "hand_mesh.hpp"

namespace graze::play {
namespace {

TEST(Buttons, TellWhenTheyArePressedAndReleasedAndCanBePolled) {
  ButtonPanel panel;
  const Body key(shape::Box{{1, 1, 0.2}}), tip(shape::Sphere{0.2});
  const std::size_t left = panel.add_button("left", key, Pose({-1, 0, 0}));
  const std::size_t right = panel.add_button("right", key, Pose({1, 0, 0}));
  const std::size_t finger = panel.add_finger(tip, Pose({0, 0, 5})), other = panel.add_finger(tip, Pose({0, 0, 6}));
  EXPECT_TRUE(panel.update().empty());
  panel.move_finger(finger, Pose({-1, 0, 0.2}));
  auto events = panel.update();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].button, left);
  EXPECT_TRUE(events[0].pressed);
  EXPECT_TRUE(panel.pressed(left));
  EXPECT_FALSE(panel.pressed(right));
  // A second finger on it changes nothing, and it is released when both have left.
  panel.move_finger(other, Pose({-0.8, 0, 0.2}));
  EXPECT_TRUE(panel.update().empty());
  panel.move_finger(finger, Pose({1, 0, 0.2}));
  events = panel.update();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].button, right);
  EXPECT_TRUE(panel.pressed(left));
  panel.move_finger(other, Pose({0, 0, 6}));
  panel.move_finger(finger, Pose({0, 0, 5}));
  events = panel.update();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_FALSE(events[0].pressed);
  EXPECT_FALSE(events[1].pressed);
  EXPECT_EQ(panel.name(right), "right");
}

TEST(Flock, TheHandIsAClosedSurfaceOf960Faces) {
  const Mesh hand = hand_mesh();
  EXPECT_EQ(hand.triangle_count(), 960u);
  const Classification found = classify(hand);
  EXPECT_TRUE(found.closed && found.manifold && found.oriented);
  EXPECT_EQ(self_collide(Body(hand)).status, Status::free);
}

TEST(Flock, FacesThatTouchAreNamedAndBodiesPart) {
  const Mesh box = make::box();
  Flock flock({{-10, -10, -10}, {10, 10, 10}});
  flock.add({box, Pose({-0.8, 0, 0}), {1, 0, 0}, {}, {}});
  flock.add({box, Pose({0.8, 0, 0}), {-1, 0, 0}, {}, {}});
  bool touched = false;
  for (int frame = 0; frame < 60; ++frame) {
    const FlockReport report = flock.step(1.0 / 60);
    const bool now = collide(Body(box), flock.flyer(0).pose, Body(box), flock.flyer(1).pose).status == Status::contact;
    EXPECT_EQ(report.pairs > 0, now) << frame;
    EXPECT_EQ(!report.touching[0].empty(), now) << frame;
    touched |= now;
  }
  EXPECT_TRUE(touched);
  EXPECT_LT(flock.flyer(0).velocity.x, 0);
  EXPECT_GT(flock.flyer(1).velocity.x, 0);
}

TEST(Flock, HandsBallHeadAndShuttleStayInTheirBox) {
  Flock flock = kitamura_flock(0.3);
  std::size_t pairs = 0;
  for (int frame = 0; frame < 200; ++frame) pairs += flock.step(1.0 / 30).pairs;
  EXPECT_GT(pairs, 0u);
  for (std::size_t i = 0; i < flock.size(); ++i) EXPECT_LT(length(flock.flyer(i).pose.translation()), 4);
}

}  // namespace
}  // namespace graze::play
