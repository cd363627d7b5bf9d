// SPDX-License-Identifier: MIT
// What makes questions about robots fast changes no answer: turned boxes, the tree over obstacles, pairs that touched
// before.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <graze/ask/distance.hpp>
#include <graze/robot/many.hpp>

#include "random_budget.hpp"
#include "robot/state.hpp"
#include "unit/robot/random_robot.hpp"

namespace graze {
namespace {

using namespace testing::robots;
using testing::RandomBudget;
using Reals = std::vector<double>;

/// The gap along an axis is never more than the distance of the boxes, which is asked exactly.
TEST(RobotBoxes, GapsAreLowerBounds) {
  Dice dice(RandomBudget::seed(61));
  int apart = 0, near = 0;
  for (RandomBudget budget(400); budget.more() && !HasFailure();) {
    RobotModel model;
    const bool flat = dice.whole(0, 3) == 0;
    const auto any_box = [&] { return box(dice.real(0.1, 1), dice.real(0.1, 1), flat ? 0.0 : dice.real(0.1, 1)); };
    const auto any_pose = [&] {
      if (dice.whole(0, 3) == 0) return Pose(dice.point(1));  // parallel edges
      return Pose(dice.point(1), {1, dice.real(-1, 1), dice.real(-1, 1), dice.real(-1, 1)});
    };
    model.links = {{"l", "", {}}};
    model.pieces = {{"l", any_box(), any_pose()}};
    const robot::State state(model, {});
    model.pieces = {{"l", any_box(), any_pose()}};
    const robot::State other(model, {});
    const robot::Part &a = state.parts[0], &b = other.parts[0];
    const Pose far(dice.direction() * dice.real(0, 1));
    const Pose at_b({b.pose.translation().x + far.translation().x, b.pose.translation().y + far.translation().y,
                     b.pose.translation().z + far.translation().z},
                    b.pose.rotation());
    const robot::Placed pa = robot::place(a, {a.pose, 0, 0}), pb = robot::place(b, {at_b, 0, 0});
    const double exact = distance(a.body, a.pose, b.body, at_b).distance;
    const double gap = robot::turned_box_gap(a, pa, b, pb, 1e9);
    EXPECT_LE(gap, exact);
    // Boxes that are apart are separated by one of the axes.
    if (exact > 1e-9) {
      EXPECT_GT(gap, 0);
      ++apart;
    } else {
      EXPECT_LE(gap, 0);
      ++near;
    }
    // Ending early gives a bound that is no better.
    EXPECT_LE(robot::turned_box_gap(a, pa, b, pb, 0.0), gap);
  }
  EXPECT_GT(apart, RandomBudget::is_whole() ? 50 : 10);
  EXPECT_GT(near, RandomBudget::is_whole() ? 20 : 2);
}

TEST(RobotObstacles, ManyAreAnsweredAsEachByItself) {
  Dice dice(RandomBudget::seed(62));
  int contacts = 0, free = 0;
  for (RandomBudget budget(6); budget.more() && !HasFailure();) {
    const RobotModel model = random_robot(dice, 4);
    Robot all(model);
    std::vector<Obstacle> obstacles;
    for (int i = 0; i < 40; ++i) {
      obstacles.push_back({dice.whole(0, 1) ? box(0.2, 0.1, 0.1) : Body(shape::Sphere{0.1}), Pose(dice.point(2.5)),
                           "o" + std::to_string(i)});
      if (dice.whole(0, 4) == 0) obstacles.back().radius = 0.2;
      if (dice.whole(0, 4) == 0) obstacles.back().may_touch = {"l1"};
    }
    obstacles.push_back({Body(shape::HalfSpace{}), Pose({0, 0, -3}), "ground"});
    all.surroundings(obstacles);
    all.padding("l2", 0.05);
    for (int i = 0; i < 10; ++i) {
      const Reals q = random_state(dice, all);
      Reals to = q;
      for (double& x : to) x += dice.real(-0.2, 0.2);
      bool touches = false, on_the_way = false;
      Robot single(model);
      single.padding("l2", 0.05);
      for (const Obstacle& o : obstacles) {
        single.surroundings({o});
        touches = touches || single.check(q).status == Status::contact;
        on_the_way = on_the_way || single.motion_free(q, to).status == Status::contact;
      }
      EXPECT_EQ(all.check(q).status == Status::contact, touches);
      EXPECT_EQ(all.motion_free(q, to).status == Status::contact, on_the_way);
      ++(touches ? contacts : free);
    }
  }
  EXPECT_GT(contacts, 5);
  EXPECT_GT(free, 5);
}

/// Bars beside each other, of which the last is in the wall.
TEST(RobotMemory, PairsThatTouchedAreAskedFirst) {
  RobotModel model;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "l" + std::to_string(i);
    model.links.push_back(
        {name, "", {.type = JointType::prismatic, .origin = Pose({0, 0.5 * i, 0}), .axis = {1, 0, 0}}});
    model.pieces.push_back({name, Body(ball(0.2))});
  }
  Robot robot(model);
  robot.surroundings({{Body(ball(0.2)), Pose({0.5, 3.5, 0}), "ball"}, {Body(ball(8)), Pose({0, 2, 8.05}), "dome"}});
  const Reals q{0, 0, 0, 0, 0, 0, 0, 0.2};
  RobotMemory memory;
  const StateOptions options{.witness = false, .memory = &memory};
  const StateResult first = robot.check(q, options), again = robot.check(q, options);
  EXPECT_EQ(first.status, Status::contact);
  EXPECT_EQ(again.status, Status::contact);
  EXPECT_EQ(again.asked, 1u);
  EXPECT_GE(first.asked, again.asked);
  RobotMemory fresh;
  Reals start = q;
  start[7] = 0.1;
  const RobotFreeResult cold = robot.motion_free(start, q, {.memory = &fresh}),
                        warm = robot.motion_free(start, q, {.memory = &fresh});
  EXPECT_EQ(cold.status, Status::contact);
  EXPECT_EQ(warm.status, Status::contact);
  EXPECT_EQ(warm.asked, 1u);
  // With a witness it is the first pair in the order of parts that counts, whatever was asked before.
  EXPECT_EQ(robot.check(q, {.memory = &memory}).pair, robot.check(q).pair);
}

/// A mesh within a solid box meets no face of it, and touches; within a hollow one, which is a mesh, it is free.
TEST(RobotInside, AMeshWithinASolidBoxTouchesAndWithinAHollowOneIsFree) {
  for (const bool solid : {true, false})
    for (const bool of_link : {true, false}) {
      const Body outer = solid ? box(1, 1, 1) : Body(cube()), inner(ball(0.2));
      RobotModel model;
      model.links = {{"l", "", {.type = JointType::revolute, .origin = Pose({0.1, 0, 0}), .axis = {0.6, 0, 0.8}}}};
      model.pieces = {{"l", of_link ? inner : outer}};
      Robot robot(model);
      robot.surroundings({{of_link ? outer : inner, Pose({0.1, 0.05, 0}), "other"}});
      const Status expected = solid ? Status::contact : Status::free;
      for (const bool witness : {true, false})
        EXPECT_EQ(robot.check(Reals{0.3}, {.witness = witness}).status, expected);
      EXPECT_EQ(robot.motion_free(Reals{0.3}, Reals{0.5}).status, expected);
      EXPECT_EQ(robot.check_motion(Reals{0.3}, Reals{0.5}).status, solid ? Status::touching_at_start : Status::free);
    }
}

}  // namespace
}  // namespace graze
