// SPDX-License-Identifier: MIT
// Plans the motion of a rigid body with OMPL, by samples as usual and by certified edges, and asks of every edge that
// the samples accepted whether it touches anything.
//
// usage: ompl_rigid [PROBLEM.cfg...] [--seeds N] [--seconds S]     (no problem: a bar and a window)
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <graze/ompl.hpp>

#include "problem.hpp"

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

std::shared_ptr<ob::SE3StateSpace> space_of(const Problem& problem) {
  auto space = std::make_shared<ob::SE3StateSpace>();
  ob::RealVectorBounds bounds(3);
  for (unsigned i = 0; i < 3; ++i) {
    bounds.setLow(i, problem.low[static_cast<int>(i)]);
    bounds.setHigh(i, problem.high[static_cast<int>(i)]);
  }
  space->setBounds(bounds);
  return space;
}

ob::ScopedState<ob::SE3StateSpace> state_at(const std::shared_ptr<ob::SE3StateSpace>& space, const graze::Pose& pose) {
  ob::ScopedState<ob::SE3StateSpace> state(space);
  state->setXYZ(pose.translation().x, pose.translation().y, pose.translation().z);
  const graze::Quat& q = pose.rotation();
  const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  state->rotation().w = q.w / size;
  state->rotation().x = q.x / size;
  state->rotation().y = q.y / size;
  state->rotation().z = q.z / size;
  return state;
}

/// Accepts what OMPL's samples accept, and counts the edges among them that touch.
class Sampled : public ob::DiscreteMotionValidator {
 public:
  Sampled(const ob::SpaceInformationPtr& si, const std::shared_ptr<const graze::RigidScene>& scene)
      : DiscreteMotionValidator(si), certified_(si, scene) {}
  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    if (!DiscreteMotionValidator::checkMotion(from, to)) return false;
    ++accepted;
    touching += !certified_.checkMotion(from, to);
    return true;
  }
  mutable std::size_t accepted = 0, touching = 0;

 private:
  graze::RigidMotionValidator certified_;
};

/// How many edges of a path touch, by the question for the first contact, which is none of the planner's.
std::size_t touching_edges(const og::PathGeometric& path, const graze::RigidScene& scene) {
  std::size_t count = 0;
  for (unsigned i = 0; i + 1 < path.getStateCount(); ++i) {
    const graze::Motion motion =
        graze::Velocity(graze::rigid_pose(path.getState(i)), graze::rigid_pose(path.getState(i + 1)));
    bool touches = false;
    for (const graze::Obstacle& o : scene.obstacles)
      touches |= graze::first_contact(scene.body, motion, o.body, graze::Still{o.pose}).status != graze::Status::free;
    count += touches;
  }
  return count;
}

struct Count {
  std::size_t runs = 0, solved = 0, edges = 0, touching = 0, paths = 0;
};

void plan(const Problem& problem, bool certified, double seconds, Count& count) {
  const auto space = space_of(problem);
  const auto scene = std::make_shared<graze::RigidScene>(
      graze::RigidScene{graze::Body(problem.robot), {{graze::Body(problem.world), graze::Pose(), problem.name}}});
  og::SimpleSetup setup(space);
  const ob::SpaceInformationPtr& si = setup.getSpaceInformation();
  si->setStateValidityChecker(std::make_shared<graze::RigidStateValidityChecker>(si, scene));
  si->setStateValidityCheckingResolution(0.01);
  const auto sampled = std::make_shared<Sampled>(si, scene);
  if (certified)
    si->setMotionValidator(std::make_shared<graze::RigidMotionValidator>(si, scene));
  else
    si->setMotionValidator(sampled);
  setup.setStartAndGoalStates(state_at(space, problem.start), state_at(space, problem.goal));
  setup.setPlanner(std::make_shared<og::RRTConnect>(si));
  setup.solve(seconds);
  ++count.runs;
  count.edges += certified ? si->getMotionValidator()->getValidMotionCount() : sampled->accepted;
  count.touching += sampled->touching;
  if (!setup.haveExactSolutionPath()) return;
  ++count.solved;
  const std::size_t touching = touching_edges(setup.getSolutionPath(), *scene);
  count.paths += touching > 0;
  if (certified && touching > 0) throw std::runtime_error("a certified path touches something");
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> files;
  unsigned seeds = 3;
  double seconds = 10;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seeds" && i + 1 < argc)
      seeds = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (argument == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else
      files.push_back(argument);
  }
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(1);
  std::vector<Problem> problems;
  for (const std::string& file : files) problems.push_back(read_problem(file));
  if (problems.empty()) problems.push_back(window());
  std::printf("%-12s %-10s %7s %15s %15s %20s\n", "problem", "edges by", "solved", "edges accepted", "of these touch",
              "solutions that touch");
  bool all_solved = true;
  for (const Problem& problem : problems)
    for (const bool certified : {false, true}) {
      Count count;
      for (unsigned i = 0; i < seeds; ++i) plan(problem, certified, seconds, count);
      std::printf("%-12s %-10s %3zu/%-3zu %15zu %15zu %20zu\n", problem.name.c_str(), certified ? "proof" : "samples",
                  count.solved, count.runs, count.edges, count.touching, count.paths);
      all_solved = all_solved && count.solved > 0;
    }
  return all_solved ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "ompl_rigid: %s\n", error.what());
  return 2;
}
