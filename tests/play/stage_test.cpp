// SPDX-License-Identifier: MIT
#include "stage.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

namespace graze::play {
namespace {

Actor actor(const Body& body, const Pose& pose, bool fixed = false) {
  return {body, pose, fixed ? Mass{} : mass_of(body), fixed, {}};
}

/// The exact discrete test of every pair of bodies, as they stand now.
void expect_apart(const Stage& stage, const char* when) {
  for (std::size_t i = 0; i < stage.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_EQ(collide(stage.actor(j).body, stage.pose(j), stage.actor(i).body, stage.pose(i)).status, Status::free)
          << when << ", bodies " << j << " and " << i;
}

TEST(Mass, OfABoxAndOfATurnedPlacementOfItsMesh) {
  const Mass m = mass_of(Body(make::box({.size = {2, 3, 4}})), 0.5);
  EXPECT_NEAR(m.mass, 12, 1e-12);
  EXPECT_NEAR(m.inertia.xx, 12.0 * (9 + 16) / 12, 1e-10);
  EXPECT_NEAR(m.inertia.zz, 12.0 * (4 + 9) / 12, 1e-10);
  EXPECT_NEAR(m.inertia.xy, 0, 1e-10);
  const Mass ball = mass_of(Body(make::sphere({.radius = 1, .triangles = 20000})));
  EXPECT_NEAR(ball.mass, 4.0 / 3 * std::numbers::pi, 0.01);
  EXPECT_NEAR(ball.inertia.xx, 0.4 * ball.mass, 0.01);
  EXPECT_THROW(mass_of(Body(make::cloth_sheet({.triangles = 8}))), Error);
}

TEST(Stage, ABoxDraggedIntoAWallSlidesAlongIt) {
  Stage stage;
  const std::size_t wall = stage.add(actor(Body(make::box({.size = {1, 10, 10}})), Pose({1.5, 0, 0}), true));
  const std::size_t box = stage.add(actor(Body(make::box()), Pose({0, 0, 0})));
  for (int frame = 0; frame < 60; ++frame) {
    stage.wish(box, {{2, 1, 0}, {}});
    const StageReport report = stage.step(1.0 / 60);
    EXPECT_NEAR(report.moved, 1, 1e-9) << frame;
    expect_apart(stage, "sliding");
  }
  EXPECT_NEAR(stage.pose(box).translation().y, 1, 1e-6);    // as wished
  EXPECT_NEAR(stage.pose(box).translation().x, 0.5, 0.01);  // up to the wall
  EXPECT_LT(stage.pose(box).translation().x, 0.5);
  EXPECT_EQ(stage.pose(wall), Pose({1.5, 0, 0}));
}

TEST(Stage, ADroppedBoxComesToRest) {
  Stage stage({.order = Order::second, .gravity = {0, 0, -9.81}});
  stage.add(actor(Body(make::box({.size = {10, 10, 1}})), Pose({0, 0, -0.5}), true));
  const std::size_t box = stage.add(actor(Body(make::box()), Pose({0, 0, 2}, {1, 0.2, 0.1, 0.3})));
  for (int frame = 0; frame < 400; ++frame) {
    stage.step(1.0 / 60);
    expect_apart(stage, "falling");
  }
  const Twist velocity = stage.velocity(box);
  EXPECT_LT(std::fabs(velocity.linear.z), 0.02);                                   // without friction it may glide on
  EXPECT_LT(std::fabs(velocity.angular.x) + std::fabs(velocity.angular.y), 0.05);  // and spin
  EXPECT_NEAR(stage.pose(box).translation().z, 0.5, 0.01);
}

TEST(Stage, ABallBounces) {
  Stage stage({.order = Order::second, .gravity = {0, 0, -9.81}, .bounce = 0.8});
  stage.add(actor(Body(make::box({.size = {10, 10, 1}})), Pose({0, 0, -0.5}), true));
  const std::size_t ball = stage.add(actor(Body(shape::Sphere{0.5}), Pose({0, 0, 1.5})));
  double highest = 0;
  bool down = false;
  for (int frame = 0; frame < 60; ++frame) {
    stage.step(1.0 / 60);
    if (stage.velocity(ball).linear.z > 0) down = true;
    if (down) highest = std::fmax(highest, stage.pose(ball).translation().z);
  }
  EXPECT_NEAR(highest, 0.5 + 0.64, 0.08);
}

TEST(Stage, TwoHandsCannotPressABodyIntoAnother) {
  std::mt19937 dice(6);
  std::uniform_real_distribution<double> any(-1, 1);
  Stage stage({.margin = 1e-4});
  const Body knot(make::torus_knot({.p = 2, .q = 3, .triangles = 1440}));
  for (int i = 0; i < 3; ++i) stage.add(actor(knot, Pose({4.0 * i, 0, 0}, {1, any(dice), any(dice), any(dice)})));
  double gap = 0, violation = 0;
  for (int frame = 0; frame < 60; ++frame) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 target{0.3 * any(dice), 0.3 * any(dice), 0.3 * any(dice)};
      stage.wish(i, stage.towards(i, Pose(target, {1, any(dice), any(dice), any(dice)}), 0.2));
    }
    const StageReport report = stage.step(1.0 / 60);
    gap = std::fmax(gap, report.gap), violation = std::fmax(violation, report.violation);
    expect_apart(stage, "pressed");
  }
  EXPECT_LT(gap, 1e-6);
  EXPECT_LT(violation, 1e-6);
}

TEST(Stage, BodiesThatOverlapAtTheStartAreReportedAndStay) {
  Stage stage;
  stage.add(actor(Body(make::box()), Pose()));
  stage.add(actor(Body(make::box()), Pose({0.5, 0, 0})));
  stage.wish(0, {{1, 0, 0}, {}});
  const StageReport report = stage.step(0.1);
  ASSERT_TRUE(report.overlap);
  EXPECT_EQ(report.moved, 0);
  EXPECT_EQ(stage.pose(0), Pose());
}

TEST(Stage, BadInputIsRefused) {
  Stage stage;
  const Body box(make::box());
  EXPECT_THROW(stage.add({box, Pose(), {0, {}, {}}, false, {}}), Error);
  EXPECT_THROW(stage.add({box, Pose(), {NAN, {}, {}}, false, {}}), Error);
  const std::size_t i = stage.add(actor(box, Pose()));
  EXPECT_THROW(stage.step(0), Error);
  EXPECT_THROW(stage.step(NAN), Error);
  stage.wish(i, {{NAN, 0, 0}, {}});
  EXPECT_THROW(stage.step(0.1), Error);
}

}  // namespace
}  // namespace graze::play
