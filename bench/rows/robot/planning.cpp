// SPDX-License-Identifier: MIT
// RRT-Connect on planning problems of rigid bodies: edges certified, and at samples by graze and by FCL.
#include <fmt/core.h>

#include <algorithm>

#include "rows/robot/robot.hpp"

#ifdef GRAZE_BENCH_OMPL
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <graze/ompl.hpp>

#include "harness/clock.hpp"
#include "peers/robot.hpp"
#include "scene/problems.hpp"

namespace graze::bench {
namespace {

namespace ob = ::ompl::base;
namespace og = ::ompl::geometric;

class FclStates : public ob::StateValidityChecker {
 public:
  FclStates(const ob::SpaceInformationPtr& si, PeerTouches touches)
      : StateValidityChecker(si), touches_(std::move(touches)) {}
  bool isValid(const ob::State* state) const override {
    const LinkPose at{rigid_pose(state), 0, 0};
    return si_->satisfiesBounds(state) && !touches_({&at, 1});
  }

 private:
  PeerTouches touches_;
};

struct Planner {
  std::string name;
  bool certified = false;
  PeerTouches touches = {};  ///< empty: ours
  std::vector<double> seconds = {};
  std::size_t solved = 0, touching = 0;
};

void plan(const PlanningProblem& problem, const std::shared_ptr<const RigidScene>& scene, double limit,
          Planner& planner) {
  const auto space = std::make_shared<ob::SE3StateSpace>();
  ob::RealVectorBounds bounds(3);
  for (int i = 0; i < 3; ++i) {
    bounds.setLow(static_cast<unsigned>(i), problem.low[i]);
    bounds.setHigh(static_cast<unsigned>(i), problem.high[i]);
  }
  space->setBounds(bounds);
  og::SimpleSetup setup(space);
  const ob::SpaceInformationPtr& si = setup.getSpaceInformation();
  if (planner.touches)
    si->setStateValidityChecker(std::make_shared<FclStates>(si, planner.touches));
  else
    si->setStateValidityChecker(std::make_shared<RigidStateValidityChecker>(si, scene));
  const auto certified = std::make_shared<RigidMotionValidator>(si, scene);
  if (planner.certified) si->setMotionValidator(certified);
  si->setStateValidityCheckingResolution(0.01);
  ob::ScopedState<ob::SE3StateSpace> start(space), goal(space);
  for (const auto& [state, pose] : {std::pair(&start, problem.start), std::pair(&goal, problem.goal)}) {
    const Quat& q = pose.rotation();
    const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    (*state)->setXYZ(pose.translation().x, pose.translation().y, pose.translation().z);
    (*state)->rotation().w = q.w / size;
    (*state)->rotation().x = q.x / size;
    (*state)->rotation().y = q.y / size;
    (*state)->rotation().z = q.z / size;
  }
  setup.setStartAndGoalStates(start, goal);
  setup.setPlanner(std::make_shared<og::RRTConnect>(si));
  setup.setup();
  const double begin = thread_seconds();
  // Of this thread's own time, as everything here is measured.
  setup.solve(ob::PlannerTerminationCondition([&] { return thread_seconds() - begin > limit; }));
  const bool solved = setup.haveExactSolutionPath();
  planner.seconds.push_back(solved ? thread_seconds() - begin : limit);
  if (!solved) return;
  ++planner.solved;
  const og::PathGeometric& path = setup.getSolutionPath();
  bool touches = false;
  for (unsigned i = 0; i + 1 < path.getStateCount(); ++i)
    for (const Obstacle& o : scene->obstacles) {
      const Velocity way(rigid_pose(path.getState(i)), rigid_pose(path.getState(i + 1)));
      touches = touches || first_contact(scene->body, way, o.body, Still{o.pose}).status != Status::free;
    }
  planner.touching += touches;
}

}  // namespace

void row_robot_planning(Context& context) {
  ::ompl::msg::setLogLevel(::ompl::msg::LOG_NONE);
  ::ompl::RNG::setSeed(1);
  const double limit = context.quick ? 2 : 60;
  const std::size_t runs = std::max<std::size_t>(2, context.poses / 50);
  for (const PlanningProblem& problem : planning_problems()) {
    const auto scene =
        std::make_shared<RigidScene>(RigidScene{Body(problem.robot), {{Body(problem.world), Pose(), problem.name}}});
    std::vector<Planner> planners{{"graze, certified", true}, {"graze, every 0.01"}};
#ifdef GRAZE_BENCH_FCL
    if (context.peers.empty() || std::find(context.peers.begin(), context.peers.end(), "FCL") != context.peers.end())
      planners.push_back({"FCL, every 0.01", false, fcl_touches({{{problem.robot, 0}}, {}, {problem.world}})});
#endif
    const std::string task = fmt::format("{}, RRT-Connect, {} runs of at most {} s", problem.name, runs, limit);
    context.progress.begin(task);
    for (std::size_t i = 0; i < runs; ++i)
      for (Planner& planner : planners) {
        context.progress.show(static_cast<double>(i) / static_cast<double>(runs));
        plan(problem, scene, limit, planner);
      }
    context.progress.clear();
    std::vector<Timing> timings;
    for (const Planner& planner : planners) timings.push_back(summarise(planner.seconds));
    for (std::size_t p = 0; p < planners.size(); ++p) {
      Line line{"planning", task, planners[p].name, timings[p], {}, {}, Verdict::none, {}};
      line.note = fmt::format("{} solved, {} of these paths touch", planners[p].solved, planners[p].touching);
      if (p == 0 && planners[p].touching > 0) line.verdict = Verdict::wrong;
      if (p > 0) line.ratio = timings[0].median / timings[p].median;
      if (p == 2) {
        line.target = 0.4;
        line.verdict = judge_ratio(*line.ratio, 0.4);
      }
      context.table.add(std::move(line));
    }
  }
}

}  // namespace graze::bench
#else
namespace graze::bench {

void row_robot_planning(Context&) { fmt::print("\nplanning: skipped, OMPL is not installed (libompl-dev)\n"); }

}  // namespace graze::bench
#endif
