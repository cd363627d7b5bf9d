// SPDX-License-Identifier: MIT
#include "arm.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <graze/core/error.hpp>

namespace graze::play {
namespace {

/// Three joints in a plane and one about the vertical.
RobotModel model() {
  RobotModel m;
  m.name = "arm";
  const auto link = [&](const char* name, const char* parent, const Vec3& at, const Vec3& axis) {
    Link l;
    l.name = name, l.parent = parent;
    l.joint.type = JointType::revolute, l.joint.origin = Pose(at), l.joint.axis = axis;
    l.joint.limits = JointLimits{-2.8, 2.8};
    m.links.push_back(l);
    m.pieces.push_back({name, Body(shape::Capsule{0.08, 0.6}), Pose({0, 0, 0.4}), {}});
  };
  link("base", "", {0, 0, 0.1}, {0, 0, 1});
  link("upper", "base", {0, 0, 0.9}, {0, 1, 0});
  link("lower", "upper", {0, 0, 0.9}, {0, 1, 0});
  link("hand", "lower", {0, 0, 0.9}, {0, 1, 0});
  return m;
}

TEST(Arm, GoesWhereItIsDraggedIfNothingIsInTheWay) {
  Arm arm(Robot(model()), "hand", {0, 0, 0.8}, {0, 0.3, 0.3, 0.3});
  const Vec3 target{1, 0.8, 1.5};
  for (int i = 0; i < 80; ++i) arm.drag(target);
  EXPECT_LT(length(arm.hand() - target), 0.02);
}

TEST(Arm, NeverTouchesWhateverIsWished) {
  Robot robot(model());
  robot.surroundings({{Body(shape::Box{{0.4, 3, 3}}), Pose({1.4, 0, 1.5}), "wall", {}},
                      {Body(shape::HalfSpace{}), Pose({0, 0, -0.2}), "floor", {}}});
  Arm arm(std::move(robot), "hand", {0, 0, 0.8}, {0, 0.1, 0.1, 0.1});
  const Vec3 targets[] = {{2.5, 0, 1.5}, {1.6, 1, 2}, {0.5, 1, -2}, {2, -1, 0.5}, {0, 0, 0}, {-1, 0, -1}};
  int stopped = 0;
  for (int i = 0; i < 180; ++i) {
    const Vec3& target = targets[i / 30];
    stopped += arm.drag(target).stopped_by.has_value();
    ASSERT_EQ(arm.robot().check(arm.state()).status, Status::free) << i;
    ASSERT_FALSE(arm.robot().chain().beyond_limits(arm.state())) << i;
  }
  EXPECT_GT(stopped, 5);
}

TEST(Arm, BadInputIsRefused) {
  EXPECT_THROW(Arm(Robot(model()), "nobody", {}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(Arm(Robot(model()), "hand", {}, {0, 0, 0}), Error);
  EXPECT_THROW(Arm(Robot(model()), "hand", {}, {0, 0, 0, 0}, 0), Error);
  Arm arm(Robot(model()), "hand", {}, {0, 0.1, 0.1, 0.1});
  EXPECT_THROW(arm.drag({NAN, 0, 0}), Error);
}

}  // namespace
}  // namespace graze::play
