// SPDX-License-Identifier: MIT
// Random robots among obstacles.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <graze/mesh/make.hpp>
#include <graze/robot/robot.hpp>

#include "unit/motion/reference.hpp"

namespace graze::testing::robots {

using testing::Dice;

inline Body box(double x, double y, double z) { return Body(shape::Box{{x, y, z}}); }

inline Mesh ball(double radius) { return make::sphere({.radius = radius}); }
inline Mesh cube() { return make::box(); }

inline RobotModel random_robot(Dice& dice, int links) {
  RobotModel model;
  for (int i = 0; i < links; ++i) {
    Joint joint;
    joint.type = std::array{JointType::revolute, JointType::continuous, JointType::prismatic, JointType::screw,
                            JointType::planar}[dice.bits() % 5];
    joint.origin = Pose(dice.point(0.5), {1, dice.real(-1, 1), dice.real(-1, 1), dice.real(-1, 1)});
    joint.axis = joint.type == JointType::planar ? Vec3{1, 0, 0} : dice.direction();
    joint.pitch = dice.real(-0.2, 0.2);
    const std::string name = "l" + std::to_string(i);
    if (coordinates_of(joint.type) == 1 && i > 2 && coordinates_of(model.links[1].joint.type) == 1 &&
        dice.whole(0, 2) == 0)
      joint.mimic = Mimic{"l1", dice.real(-1, 1), 0.1};
    if (i == 1) joint.type = JointType::revolute, joint.axis = dice.direction(), joint.mimic.reset();
    model.links.push_back(
        {name, i ? "l" + std::to_string(dice.whole(0, 2) ? i - 1 : dice.whole(0, i - 1)) : "", joint});
    const Pose at(dice.point(0.1), {1, dice.real(-1, 1), 0, 0});
    if (dice.whole(0, 3) == 0) model.pieces.push_back({name, Body(shape::Sphere{0.15}), at});
    if (dice.whole(0, 3)) model.pieces.push_back({name, box(0.5, 0.1, 0.15), at});
    if (dice.whole(0, 3) == 0) model.pieces.push_back({name, Body(ball(0.15)), at});
  }
  return model;
}

struct Case {
  Robot robot;
  std::vector<Obstacle> obstacles;
};
inline Case random_case(Dice& dice) {
  Case c{Robot(random_robot(dice, dice.whole(3, 9))), {}};
  for (int i = 0; i < 4; ++i)
    c.obstacles.push_back({dice.whole(0, 1) ? box(0.3, 0.4, 0.2) : Body(ball(0.2)),
                           Pose(dice.direction() * dice.real(0.4, 2)), "o" + std::to_string(i)});
  c.robot.surroundings(c.obstacles);
  return c;
}

inline std::vector<double> random_state(Dice& dice, const Robot& robot) {
  std::vector<double> q(robot.coordinates());
  for (double& x : q) x = dice.real(-1.5, 1.5);
  return q;
}

}  // namespace graze::testing::robots
