// SPDX-License-Identifier: MIT
// Questions about robots and assemblies end soon after their token is cancelled.
#include <gtest/gtest.h>

#include <graze/graze.hpp>
#include <graze/robot/many.hpp>

#include "cancelled.hpp"

namespace graze::testing {
namespace {

using cancelled::expect_cancelled;

TEST(CancelRobot, MotionsPathsAndTrajectoriesEndSoon) {
  const cancelled::Scene& s = cancelled::scene();
  RobotModel model;
  model.links = {{"ring", "", {JointType::revolute, Pose(), {1e-4, 0, 1}, 0}}};
  model.pieces = {{"ring", s.ring}};
  Robot robot(std::move(model));
  robot.surroundings({{s.socket, Pose(), "socket"}});
  const double from[] = {0}, to[] = {3}, both[] = {0, 3};
  for (const int threads : {1, 2})
    expect_cancelled("check_motion", [&](const CancelToken& cancel) {
      const RobotMotionResult r = robot.check_motion(from, to, {.threads = threads, .cancel = cancel});
      EXPECT_TRUE(r.safe >= 0 && r.safe <= 1);
      return r.status;
    });
  expect_cancelled("robot motion_free",
                   [&](const CancelToken& cancel) { return robot.motion_free(from, to, {.cancel = cancel}).status; });
  expect_cancelled("robot check_path", [&](const CancelToken& cancel) {
    return robot.check_path(both, {.clearance = 1e-3, .cancel = cancel}).status;
  });
  expect_cancelled("robot certificates", [&](const CancelToken& cancel) {
    return robot.check_motion(from, to, {.certificates = true, .cancel = cancel}).status;
  });
  const Trajectory trajectory = Trajectory::through(std::vector<TrajectoryPoint>{{0, {0}}, {1, {3}}});
  expect_cancelled("robot check_trajectory", [&](const CancelToken& cancel) {
    return robot.check_trajectory(trajectory, {.cancel = cancel}).status;
  });
  std::vector<RobotFreeResult> edges(4);
  const double many[] = {3, 2.5, 2, 1.5};
  expect_cancelled("robot motion_free_many", [&](const CancelToken& cancel) {
    return motion_free_many(robot, from, many, edges, {.threads = 2, .cancel = cancel}).status;
  });
}

TEST(CancelRobot, ClashChecksEndSoon) {
  const cancelled::Scene& s = cancelled::scene();
  clash::Assembly assembly;
  assembly.geometries = {clash::geometry(s.soup_a), clash::geometry(s.soup_b)};
  for (std::uint32_t i = 0; i < 40; ++i) assembly.parts.push_back({std::to_string(i), i % 2, Pose({0.01 * i, 0, 0})});
  for (const int threads : {1, 2})
    expect_cancelled("clash::check", [&](const CancelToken& cancel) {
      clash::Options options;
      options.depth = true;
      options.threads = threads;
      options.cancel = cancel;
      const clash::Result r = clash::check(assembly, options);
      EXPECT_FALSE(r.complete);
      return r.clashes.empty() ? r.status : Status::undecided;  // what was found is listed
    });
}

}  // namespace
}  // namespace graze::testing
