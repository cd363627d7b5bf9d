// SPDX-License-Identifier: MIT
// The rule of graze/core/error.hpp over robots, trajectories and clash detection.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <graze/graze.hpp>
#include <graze/robot/many.hpp>

#include "error_rule.hpp"

namespace graze::testing {
namespace {

using error_rule::of;

constexpr double not_finite = std::numeric_limits<double>::quiet_NaN();

RobotModel two_links() {
  RobotModel model;
  model.links = {{"arm", "", {JointType::revolute, Pose(), {0, 0, 1}, 0}},
                 {"hand", "arm", {JointType::prismatic, Pose({3, 0, 0}), {1, 0, 0}, 0}}};
  model.pieces = {{"arm", Body(make::box())}, {"hand", Body(make::box())}};
  return model;
}

TEST(ErrorRule, QuestionsOfRobotsReturnInvalidRequest) {
  const Robot robot(two_links());
  const std::vector<double> q{0, 0}, one{0}, bad{0, not_finite}, three{0, 0, 1};
  const auto motion = [&](const RobotMotionOptions& o) { return of(robot.check_motion(q, q, o)); };
  const auto free = [&](const RobotFreeOptions& o) { return of(robot.motion_free(q, q, o)); };
  const Trajectory short_one = Trajectory::through(std::vector<TrajectoryPoint>{{0, {0}}, {1, {1}}});
  const Trajectory right = Trajectory::through(std::vector<TrajectoryPoint>{{0, {0, 0}}, {1, {0, 1}}});
  std::vector<StateResult> states(2);
  std::vector<RobotFreeResult> edges(2);
  const std::vector<double> two_states{0, 0, 0, 1};
  error_rule::expect_invalid_requests({
      {"check count", [&] { return of(robot.check(one)); }},
      {"check finite", [&] { return of(robot.check(bad)); }},
      {"distance count", [&] { return of(robot.distance(three)); }},
      {"distance finite", [&] { return of(robot.distance(bad)); }},
      {"check_motion count", [&] { return of(robot.check_motion(q, one)); }},
      {"check_motion finite", [&] { return of(robot.check_motion(q, bad)); }},
      {"check_motion threads", [&] { return motion({.threads = 0}); }},
      {"check_motion method", [&] { return motion({.pair = {.method = "?"}}); }},
      {"check_motion tolerance", [&] { return motion({.pair = {.tolerance = not_finite}}); }},
      {"check_motion separation", [&] { return motion({.pair = {.min_separation = -1}}); }},
      {"motion_free count", [&] { return of(robot.motion_free(one, q)); }},
      {"motion_free finite", [&] { return of(robot.motion_free(q, bad)); }},
      {"motion_free separation", [&] { return free({.min_separation = not_finite}); }},
      {"motion_free tolerance", [&] { return free({.tolerance = -1.0}); }},
      {"check_path count", [&] { return of(robot.check_path(three)); }},
      {"check_path clearance", [&] { return of(robot.check_path(two_states, {.clearance = not_finite})); }},
      {"check_path threads", [&] { return of(robot.check_path(two_states, {.threads = 0})); }},
      {"check_trajectory", [&] { return of(robot.check_trajectory(short_one)); }},
      {"check_trajectory threads", [&] { return of(robot.check_trajectory(right, {.threads = 1025})); }},
      {"check_trajectory clearance", [&] { return of(robot.check_trajectory(right, {.clearance = -1.0})); }},
      {"check_many count", [&] { return of(check_many(robot, three, states)); }},
      {"check_many threads", [&] { return of(check_many(robot, two_states, states, {.threads = 0})); }},
      {"motion_free_many count", [&] { return of(motion_free_many(robot, q, three, edges)); }},
      {"motion_free_many threads", [&] { return of(motion_free_many(robot, q, two_states, edges, {.threads = 0})); }},
  });
}

TEST(ErrorRule, WhatChangesRobotsThrows) {
  Robot robot(two_links());
  const Body box(make::box());
  const std::size_t pairs = robot.pairs();
  const std::vector<double> q{0, 0}, one{0};
  std::vector<double> few(1);
  const RobotDistanceResult at = robot.distance(q);
  const auto without = [](auto&& change) {
    return [change] {
      RobotModel model = two_links();
      change(model);
      Robot{model};
    };
  };
  error_rule::expect_errors({
      {"no links", without([](RobotModel& m) { m.links.clear(); })},
      {"piece of nobody", without([](RobotModel& m) { m.pieces[0].link = "?"; })},
      {"allowed pair of nobody", without([](RobotModel& m) {
         m.allowed.push_back({"arm", "?", ""});
       })},
      {"set_named_state", [&] { robot.set_named_state("?", few); }},
      {"allow", [&] { robot.allow("arm", "?"); }},
      {"forbid", [&] { robot.forbid("?", "arm"); }},
      {"allowed", [&] { robot.allowed("arm", "?"); }},
      {"allow_touching", [&] { robot.allow_touching(one); }},
      {"padding of nobody", [&] { robot.padding("?", 0.1); }},
      {"padding", [&] { robot.padding("arm", -1); }},
      {"padding of all", [&] { robot.padding(not_finite); }},
      {"attach to nobody",
       [&] {
         robot.attach({"cup", "?", box});
       }},
      {"attach may touch",
       [&] {
         robot.attach({"cup", "hand", box, Pose(), {"?"}});
       }},
      {"obstacle may touch",
       [&] {
         robot.surroundings({{box, Pose(), "wall", {"?"}}});
       }},
      {"obstacle radius",
       [&] {
         robot.surroundings({{box, Pose(), "wall", {}, -1}});
       }},
      {"part", [&] { robot.part(99); }},
      {"gradient size", [&] { robot.distance_gradient(q, at, few); }},
      {"gradient coordinates", [&] { robot.distance_gradient(one, at, few); }},
  });
  EXPECT_TRUE(robot.pairs() == pairs && robot.attached().empty() && !robot.detach("cup"));
}

TEST(ErrorRule, TrajectoriesThrow) {
  using Points = std::vector<TrajectoryPoint>;
  const Trajectory right = Trajectory::through(Points{{0, {0, 0}}, {1, {0, 1}}});
  const Chain chain(two_links().links);
  std::vector<double> q(2), few(1);
  const std::vector<Interpolation> none, quintic{Interpolation::quintic}, two(2, Interpolation::linear);
  const std::vector<double> control{0, 1, 2, 3}, bad{0, 1, 2, not_finite}, knots{0, 0, 0, 0, 1, 1, 1, 1}, back{1, 0};
  const auto through = [](const Points& points, const std::vector<Interpolation>& each) {
    return [points, each] { Trajectory::through(points, each); };
  };
  error_rule::expect_errors({
      {"no points", through({}, none)},
      {"one point", through({{0, {0}}}, none)},
      {"times", through({{1, {0}}, {0, {1}}}, none)},
      {"time not finite", through({{0, {0}}, {not_finite, {1}}}, none)},
      {"positions", through({{0, {0}}, {1, {1, 2}}}, none)},
      {"positions not finite", through({{0, {0}}, {1, {not_finite}}}, none)},
      {"velocities", through({{0, {0}, {1, 2}}, {1, {1}}}, none)},
      {"too many interpolations", through({{0, {0}}, {1, {1}}}, two)},
      {"quintic without accelerations", through({{0, {0}}, {1, {1}}}, quintic)},
      {"spline knots", [&] { Trajectory::spline(control, 1, back); }},
      {"spline control", [&] { Trajectory::spline(bad, 1, knots); }},
      {"spline coordinates", [&] { Trajectory::spline(control, 0, knots); }},
      {"spline times", [&] { Trajectory::spline(control, 1, 1, 0); }},
      {"state segment", [&] { right.state(9, 0.5, q); }},
      {"state size", [&] { right.state(0, 0.5, few); }},
      {"start", [&] { right.start(9); }},
      {"end", [&] { right.end(9); }},
      {"time", [&] { right.time(9, 0); }},
      {"link_motion segment", [&] { chain.link_motion(LinkId{0}, right, 9); }},
      {"link_motion link", [&] { chain.link_motion(LinkId{9}, right, 0); }},
      {"link_poses", [&] { chain.link_poses(few); }},
      {"beyond_limits", [&] { chain.beyond_limits(few); }},
      {"link", [&] { chain.link(LinkId{9}); }},
      {"parent", [&] { chain.parent(LinkId{9}); }},
      {"first_coordinate", [&] { chain.first_coordinate(LinkId{9}); }},
      {"common_ancestor", [&] { chain.common_ancestor(LinkId{0}, LinkId{9}); }},
      {"neighbours", [&] { chain.neighbours(LinkId{9}, LinkId{0}); }},
      {"pair_motions", [&] { chain.pair_motions(LinkId{9}, LinkId{0}, q, q); }},
  });
}

TEST(ErrorRule, ClashChecksThrow) {
  const auto checks = [](auto&& change) {
    return [change] {
      clash::Assembly assembly;
      assembly.geometries = {clash::geometry(make::box())};
      assembly.parts = {{"a"}, {"b"}};
      clash::Options options;
      change(assembly, options);
      clash::check(assembly, options);
    };
  };
  using clash::Assembly, clash::Options;
  clash::Checker checker({{clash::geometry(make::box())}, {{"a"}, {"b"}}});
  error_rule::expect_errors({
      {"geometry", checks([](Assembly& a, Options&) { a.parts[0].geometry = 9; })},
      {"box", checks([](Assembly& a, Options&) { a.geometries[0].box = {}; })},
      {"clearance", checks([](Assembly&, Options& o) { o.clearance = -1; })},
      {"tolerance", checks([](Assembly&, Options& o) { o.tolerance = not_finite; })},
      {"rule", checks([](Assembly&, Options& o) { o.rules = {{.clearance = not_finite}}; })},
      {"threads", checks([](Assembly&, Options& o) { o.threads = 0; })},
      {"rows", [&] { checker.run(0, 3); }},
      {"rows in reverse", [&] { checker.run(2, 1); }},
      {"part_of", [&] { checker.part_of(2); }},
      {"split", [] { clash::split(Mesh({}, PolygonList()), "", clash::SplitBy::piece); }},
      {"save_report", [] { clash::save_report({}, {}, clash::ReportFormat::csv, "/no/such/folder/report.csv"); }},
  });
  // Parts that cannot be read are answers, not errors: the others are still compared.
  clash::Geometry unreadable{[]() -> Mesh {
                               ErrorDetail why;
                               why.code = ErrorCode::bad_file;
                               throw Error(why);
                             },
                             make::box().box()};
  const clash::Result r = clash::check({{clash::geometry(make::box()), unreadable}, {{"a"}, {"b", 1}}});
  EXPECT_EQ(r.status, Status::undecided);
  EXPECT_FALSE(r.unanswered.empty() || r.complete);
}

}  // namespace
}  // namespace graze::testing
