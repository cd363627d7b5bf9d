// SPDX-License-Identifier: MIT
// The gradient of the distance by the coordinates: closed forms of flat arms, and differences of distances.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random_budget.hpp"
#include "unit/robot/random_robot.hpp"

namespace graze {
namespace {

using namespace testing::robots;
using testing::RandomBudget;
using Reals = std::vector<double>;

/// A ball at the end of two bars of length 2 and 1 that turn about z.
RobotModel two_bars() {
  RobotModel model;
  model.links = {{"a", "", {.type = JointType::revolute, .axis = {0, 0, 2}}},
                 {"b", "a", {.type = JointType::revolute, .origin = Pose({2, 0, 0}), .axis = {0, 0, 1}}}};
  model.pieces = {{"b", Body(shape::Sphere{0.1}), Pose({1, 0, 0})}};
  return model;
}

TEST(RobotGradient, ABallOnTwoBars) {
  Robot robot(two_bars());
  const Vec3 post{0.5, 3, 0};
  robot.surroundings({{Body(shape::Sphere{0.2}), Pose(post), "post"}});
  for (const Reals& q : {Reals{0.3, 0.7}, Reals{-1, 2}, Reals{2, -0.5}}) {
    const Vec3 elbow{2 * std::cos(q[0]), 2 * std::sin(q[0]), 0},
        tip{elbow.x + std::cos(q[0] + q[1]), elbow.y + std::sin(q[0] + q[1]), 0};
    const double dx = tip.x - post.x, dy = tip.y - post.y, gap = std::hypot(dx, dy);
    const RobotDistanceResult at = robot.distance(q);
    ASSERT_EQ(at.status, Status::free);
    EXPECT_NEAR(at.distance, gap - 0.3, 1e-9);
    Reals g(2);
    ASSERT_TRUE(robot.distance_gradient(q, at, g));
    EXPECT_NEAR(g[0], (dx * -tip.y + dy * tip.x) / gap, 1e-7);
    EXPECT_NEAR(g[1], (dx * -(tip.y - elbow.y) + dy * (tip.x - elbow.x)) / gap, 1e-7);
  }
}

TEST(RobotGradient, ABallThatSlidesToAWall) {
  RobotModel model;
  model.links = {{"a", "", {.type = JointType::prismatic, .axis = {3, 0, 0}}},
                 {"b", "a", {.type = JointType::prismatic, .axis = {0, 1, 0}, .mimic = Mimic{"a", -0.5, 0.25}}}};
  model.pieces = {{"b", Body(shape::Sphere{0.5})}};
  Robot robot(model);
  Reals g(1);
  robot.surroundings({{box(1, 100, 100), Pose({3, 0, 0}), "wall"}});
  ASSERT_TRUE(robot.distance_gradient(Reals{0.5}, robot.distance(Reals{0.5}), g));
  EXPECT_NEAR(g[0], -1, 1e-9);
  robot.surroundings({{box(100, 1, 100), Pose({0, 3, 0}), "ceiling"}});  // the follower alone comes near it
  ASSERT_TRUE(robot.distance_gradient(Reals{0.5}, robot.distance(Reals{0.5}), g));
  EXPECT_NEAR(g[0], 0.5, 1e-9);
}

TEST(RobotGradient, WhereThereIsNone) {
  Robot robot(two_bars());
  Reals g{5, 5};
  EXPECT_FALSE(robot.distance_gradient(Reals{0, 0}, robot.distance(Reals{0, 0}), g));  // nothing is around
  EXPECT_EQ(g, (Reals{0, 0}));
  robot.surroundings({{Body(shape::Sphere{0.2}), Pose({3, 0, 0}), "post"}});
  g = {5, 5};
  const RobotDistanceResult contact = robot.distance(Reals{0, 0});
  EXPECT_EQ(contact.status, Status::contact);
  EXPECT_FALSE(robot.distance_gradient(Reals{0, 0}, contact, g));
  EXPECT_EQ(g, (Reals{0, 0}));
  Reals wrong(3);
  EXPECT_THROW(robot.distance_gradient(Reals{0, 0}, contact, wrong), Error);
  EXPECT_THROW(robot.distance_gradient(Reals{0}, contact, g), Error);
}

/// Two posts equally far: the gradient is that of one of them.
TEST(RobotGradient, OfOneOfSeveralThatAreEquallyNear) {
  Robot robot(two_bars());
  robot.surroundings(
      {{Body(shape::Sphere{0.2}), Pose({3, 1, 0}), "left"}, {Body(shape::Sphere{0.2}), Pose({3, -1, 0}), "right"}});
  Reals g(2);
  ASSERT_TRUE(robot.distance_gradient(Reals{0, 0}, robot.distance(Reals{0, 0}), g));
  EXPECT_NEAR(std::fabs(g[0]), 3, 1e-9);
  EXPECT_NEAR(std::fabs(g[1]), 1, 1e-9);
}

TEST(RobotGradient, RandomRobotsAgainstDifferences) {
  Dice dice(RandomBudget::seed(41));
  std::size_t compared = 0, robots = 0;
  for (RandomBudget budget(12); budget.more() && !HasFailure(); ++robots) {
    RobotModel model = random_robot(dice, dice.whole(3, 7));
    // On a base that floats, with a piece of its own so that nothing is without bodies.
    if (dice.whole(0, 1)) {
      for (Link& link : model.links)
        if (link.parent.empty()) link.parent = "ground";
      model.links.insert(
          model.links.begin(),
          {"ground", "", {.type = JointType::floating, .origin = Pose({0.1, 0, 0}, {1, 0.2, 0.3, -0.4})}});
    }
    Robot robot(model);
    robot.surroundings({{Body(shape::Sphere{0.2}), Pose(dice.direction() * 2.5), "ball"},
                        {box(0.3, 0.4, 0.2), Pose(dice.direction() * 3, {1, 0.3, 0.2, 0.1}), "box"}});
    for (int i = 0; i < 6; ++i) {
      Reals q = random_state(dice, robot);
      const RobotDistanceResult at = robot.distance(q);
      Reals g(q.size());
      if (!robot.distance_gradient(q, at, g)) continue;
      for (std::size_t k = 0; k < q.size(); ++k) {
        constexpr double h = 1e-5;
        const double middle = q[k];
        q[k] = middle + h;
        const double after = robot.distance(q).distance;
        q[k] = middle - h;
        const double before = robot.distance(q).distance;
        q[k] = middle;
        if (std::fabs(after + before - 2 * at.distance) > 3e-9) continue;  // a kink is near
        EXPECT_NEAR((after - before) / (2 * h), g[k], 1e-3 * (1 + std::fabs(g[k]))) << "coordinate " << k;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, robots * 8);
}

}  // namespace
}  // namespace graze
