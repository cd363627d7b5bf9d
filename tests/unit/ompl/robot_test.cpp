// SPDX-License-Identifier: MIT
// Robots in OMPL: their state space, our motion beside the one that OMPL interpolates, and plans whose every edge is
// free.
#include <gtest/gtest.h>
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <string>
#include <thread>

#include <graze/ompl.hpp>

namespace graze {
namespace {

namespace ob = ::ompl::base;
using Reals = std::vector<double>;

Joint turning(const Pose& origin, std::optional<JointLimits> limits = JointLimits{-3, 3}) {
  return {.type = limits ? JointType::revolute : JointType::continuous,
          .origin = origin,
          .axis = {0, 0, 1},
          .limits = limits};
}

/// Bars of length 1 in a plane; the first turns without limits.
RobotModel bars(int count) {
  RobotModel model;
  for (int i = 0; i < count; ++i) {
    const std::string name = "l" + std::to_string(i);
    model.links.push_back(
        {name, i ? "l" + std::to_string(i - 1) : "",
         turning(Pose({i ? 1.0 : 0.0, 0, 0}), i ? std::optional(JointLimits{-2.9, 2.9}) : std::nullopt)});
    model.pieces.push_back({name, Body(shape::Box{{1, 0.04, 0.04}}), Pose({0.5, 0, 0})});
  }
  return model;
}

struct Planned {
  std::shared_ptr<Robot> robot;
  std::shared_ptr<RobotStateSpace> space;
  ob::SpaceInformationPtr si;
  explicit Planned(RobotModel model, std::vector<Obstacle> obstacles = {}, const std::string& group = {}) {
    robot = std::make_shared<Robot>(std::move(model));
    robot->surroundings(std::move(obstacles));
    space = std::make_shared<RobotStateSpace>(robot, group);
    si = std::make_shared<ob::SpaceInformation>(space);
    si->setStateValidityChecker(std::make_shared<RobotStateValidityChecker>(si));
    si->setMotionValidator(std::make_shared<RobotMotionValidator>(si));
    si->setup();
  }
};

std::string refusal(RobotModel model, const std::string& group = {}, const Reals& rest = {}) {
  try {
    RobotStateSpace(std::make_shared<Robot>(std::move(model)), group, rest);
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().code, ErrorCode::bad_option);
    return error.what();
  }
  return {};
}

TEST(OmplRobot, GroupsPassiveJointsAndTheRest) {
  RobotModel model = bars(4);
  model.groups.push_back({"tip", {"l0", "l2", "l3"}});
  model.passive = {"l3"};
  const auto robot = std::make_shared<Robot>(model);
  const RobotStateSpace space(robot, "tip", Reals{9, 0.1, 9, 0.3});
  EXPECT_EQ(space.getDimension(), 2u);  // l2, then l0
  EXPECT_EQ(space.joints(), (std::vector{LinkId{0}, LinkId{2}}));
  const auto state = space.allocState();
  space.set_state(Reals{4, 0.5, -0.7, 0.5}, state);
  const Reals q = space.configuration(state);
  EXPECT_NEAR(q[0], 4 - 2 * std::numbers::pi, 1e-15);
  EXPECT_EQ((Reals{q.begin() + 1, q.end()}), (Reals{0.1, -0.7, 0.3}));
  space.freeState(state);
  EXPECT_NE(refusal(model, "arm").find("no group \"arm\""), std::string::npos);
  EXPECT_NE(refusal(model, "", Reals{1}).find("must have 4 coordinates, not 1"), std::string::npos);
}

TEST(OmplRobot, JointsWithoutLimitsThatNeedSome) {
  RobotModel model = bars(2);
  model.links[1].joint.mimic = Mimic{"l0", 0.5, 0};  // a whole turn of l0 is half a turn of l1
  EXPECT_NE(refusal(model).find("\"l0\" must have limits"), std::string::npos);
  model = bars(2);
  model.links[1].joint.type = JointType::prismatic;
  model.links[1].joint.limits.reset();
  EXPECT_NE(refusal(model).find("\"l1\" must have limits"), std::string::npos);
  model.links[1].joint.type = JointType::revolute;
  EXPECT_EQ(refusal(model), "");
  model.links[1].joint.limits = JointLimits{.upper = 1};
  EXPECT_NE(refusal(model).find("\"l1\" must have limits"), std::string::npos);
  model.links[1].joint = {.type = JointType::floating};
  EXPECT_NE(refusal(model).find("\"l1\" must have limits"), std::string::npos);
  model.passive = {"l0", "l1"};
  EXPECT_NE(refusal(model).find("no joint is left"), std::string::npos);
}

TEST(OmplRobot, TheMotionIsTheOneThatOmplInterpolates) {
  const Planned p(bars(3));
  ob::ScopedState<> a(p.space), b(p.space), there(p.space);
  Reals from(3), to(3);
  const auto agree = [&] {
    p.space->motion(a.get(), b.get(), from, to);
    for (int k = 0; k <= 32; ++k) {
      const double t = k / 32.0;
      p.space->interpolate(a.get(), b.get(), t, there.get());
      const Reals q = p.space->configuration(there.get());
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(std::remainder(from[i] + t * (to[i] - from[i]) - q[i], 2 * std::numbers::pi), 0, 4e-15);
    }
  };
  int beyond = 0;
  for (int i = 0; i < 300; ++i) {
    a.random();
    b.random();
    agree();
    beyond += std::fabs(to[0]) > std::numbers::pi;
  }
  EXPECT_GT(beyond, 30);
  const double pi = std::numbers::pi;
  for (const double x : {-pi, 0.0, std::nextafter(0.0, 1.0), 1e-9, 3.0})
    for (const double y : {-pi, std::nextafter(pi, 0.0), 0.0, -1e-9, x - pi, x + pi}) {
      if (y < -pi || y >= pi) continue;
      p.space->set_state(Reals{x, 0, 0}, a.get());
      p.space->set_state(Reals{y, 0, 0}, b.get());
      agree();
    }
}

/// The wall is behind the arm: the short way from 3 to -3 goes through it, the long way does not.
TEST(OmplRobot, ContinuousJointsTurnTheShortWay) {
  const Planned p(bars(1), {{Body(shape::Box{{0.5, 0.001, 1}}), Pose({-0.7, 0, 0}), "wall"}});
  ob::ScopedState<> a(p.space), b(p.space), last(p.space);
  p.space->set_state(Reals{3}, a.get());
  p.space->set_state(Reals{-3}, b.get());
  std::pair<ob::State*, double> valid{last.get(), 0};
  EXPECT_FALSE(p.si->checkMotion(a.get(), b.get(), valid));
  EXPECT_TRUE(p.si->checkMotion(a.get(), last.get()));
  const double half_bar = std::asin(0.0205 / std::hypot(0.95, 0.0));
  EXPECT_LT(p.space->configuration(last.get())[0], std::numbers::pi - half_bar);
  EXPECT_GT(p.space->configuration(last.get())[0], std::numbers::pi - 0.06);
  p.space->set_state(Reals{0.1}, b.get());
  EXPECT_TRUE(p.si->checkMotion(a.get(), b.get()));
  EXPECT_GT(p.si->getStateValidityChecker()->clearance(b.get()), 0.4);
}

std::vector<Obstacle> posts() {
  std::vector<Obstacle> out;
  for (const Vec3& at : {Vec3{1.4, 0.6, 0}, Vec3{-0.9, 1.1, 0}, Vec3{0.3, -1.5, 0}, Vec3{1.5, -0.7, 0}})
    out.push_back({Body(shape::Cylinder{0.08, 1}), Pose(at), "post"});
  return out;
}

TEST(OmplRobot, AgainstDenseSamples) {
  const Planned p(bars(3), posts());
  ob::ScopedState<> a(p.space), b(p.space), last(p.space), there(p.space);
  int free = 0, blocked = 0;
  for (int i = 0; i < 300; ++i) {
    a.random();
    if (!p.si->isValid(a.get())) continue;
    b.random();
    std::pair<ob::State*, double> valid{last.get(), 1};
    const bool is_free = p.si->checkMotion(a.get(), b.get(), valid);
    for (int k = 0; k <= 100; ++k) {
      p.space->interpolate(a.get(), b.get(), valid.second * k / 100.0, there.get());
      EXPECT_TRUE(p.si->isValid(there.get())) << i;
    }
    ++(is_free ? free : blocked);
    if (is_free) continue;
    EXPECT_TRUE(p.si->isValid(last.get()));
    EXPECT_TRUE(p.si->checkMotion(a.get(), last.get()));
    // Somewhere on the way, or just at its end, there is a contact.
    Reals q_from(3), q_to(3);
    p.space->motion(a.get(), b.get(), q_from, q_to);
    const auto contact = p.robot->check_motion(q_from, q_to);
    EXPECT_NE(contact.status, Status::free);
    EXPECT_LT(valid.second, contact.contact.time.touch);
  }
  EXPECT_GT(free, 10);
  EXPECT_GT(blocked, 50);
}

TEST(OmplRobotThreads, OneCheckerForAllThreads) {
  const Planned p(bars(3), posts());
  std::vector<ob::ScopedState<>> states;
  for (int i = 0; i < 60; ++i) states.emplace_back(p.space).random();
  const auto ask = [&](std::size_t i) {
    return p.si->getMotionValidator()->checkMotion(states[i].get(), states[i + 1].get());
  };
  std::vector<bool> expected;
  for (std::size_t i = 0; i + 1 < states.size(); ++i) expected.push_back(ask(i));
  p.si->getMotionValidator()->resetMotionCounter();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (std::size_t i = 0; i + 1 < states.size(); ++i) wrong += ask(i) != expected[i];
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(p.si->getMotionValidator()->getCheckedMotionCount(), 4u * 59u);
}

template <class Planner>
void plan() {
  ::ompl::msg::setLogLevel(::ompl::msg::LOG_NONE);
  const Planned p(bars(3), posts());
  ::ompl::geometric::SimpleSetup setup(p.si);
  ob::ScopedState<> start(p.space), goal(p.space);
  p.space->set_state(Reals{0, 0, 0}, start.get());
  p.space->set_state(Reals{2.6, -0.4, 0.5}, goal.get());
  ASSERT_TRUE(p.si->isValid(start.get()));
  ASSERT_TRUE(p.si->isValid(goal.get()));
  ASSERT_FALSE(p.si->checkMotion(start.get(), goal.get()));
  setup.setStartAndGoalStates(start, goal);
  setup.setPlanner(std::make_shared<Planner>(p.si));
  ASSERT_TRUE(setup.solve(20.0));
  ASSERT_TRUE(setup.haveExactSolutionPath());
  setup.simplifySolution(1.0);
  const auto& path = setup.getSolutionPath();
  Reals from(3), to(3);
  for (unsigned i = 0; i + 1 < path.getStateCount(); ++i) {
    p.space->motion(path.getState(i), path.getState(i + 1), from, to);
    EXPECT_EQ(p.robot->check_motion(from, to).status, Status::free) << i;
  }
}

TEST(OmplRobot, RrtConnectFindsACertifiedPath) { plan<::ompl::geometric::RRTConnect>(); }
TEST(OmplRobot, KpieceUsesLastValidStatesAndTheProjection) { plan<::ompl::geometric::KPIECE1>(); }

}  // namespace
}  // namespace graze
