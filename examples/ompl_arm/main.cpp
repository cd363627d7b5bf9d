// SPDX-License-Identifier: MIT
// An arm reaches from one compartment of a shelf into another: planned with OMPL by samples as usual and by certified
// edges; every edge that the samples accepted is asked whether it touches anything.
//
// usage: ompl_arm [URDF SRDF GROUP NAME=DIR] [--seeds N] [--seconds S]     (no robot: a generated one of six joints)
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
#include <graze/robot/urdf.hpp>

namespace ob = ompl::base;
namespace og = ompl::geometric;
using graze::Vec3;

namespace {

graze::RobotModel generated_arm() {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "graze_ompl_arm.urdf";
  const double lengths[] = {0.25, 0.15, 0.35, 0.35, 0.1, 0.1, 0.12};
  const char* const axes[] = {"", "0 0 1", "0 1 0", "0 1 0", "0 1 0", "0 0 1", "0 1 0"};
  std::ofstream urdf(file);
  urdf << "<robot name=\"arm\">\n";
  for (int i = 0; i < 7; ++i) {  // bars along z, each on the end of the one before
    urdf << "<link name=\"l" << i << "\"><collision><origin xyz=\"0 0 " << 0.5 * lengths[i]
         << "\"/><geometry><cylinder radius=\"0.05\" length=\"" << lengths[i] - 0.04
         << "\"/></geometry></collision></link>\n";
    if (i > 0)
      urdf << "<joint name=\"j" << i << "\" type=\"revolute\"><parent link=\"l" << i - 1 << "\"/><child link=\"l" << i
           << "\"/><origin xyz=\"0 0 " << lengths[i - 1] << "\"/><axis xyz=\"" << axes[i]
           << "\"/><limit lower=\"-2.8\" upper=\"2.8\" effort=\"1\" velocity=\"1\"/></joint>\n";
  }
  urdf << "</robot>\n";
  urdf.close();
  graze::RobotModel model = graze::load_robot({file});
  std::filesystem::remove(file);
  return model;
}

/// Three boards and two sides.
std::vector<graze::Obstacle> shelf() {
  std::vector<graze::Obstacle> out;
  const auto add = [&](const Vec3& sides, const Vec3& at, const char* name) {
    out.push_back({graze::Body(graze::shape::Box{sides}), graze::Pose(at), name});
  };
  for (const double z : {0.2, 0.55, 0.9}) add({0.3, 0.9, 0.02}, {0.6, 0, z}, "board");
  for (const double y : {-0.45, 0.45}) add({0.3, 0.02, 0.9}, {0.6, y, 0.45}, "side");
  add({3, 3, 0.02}, {0, 0, -0.02}, "floor");
  return out;
}

/// A free state with the arm's tip in the box.
std::vector<double> reaching_into(const graze::RobotStateSpace& space, graze::LinkId tip, const Vec3& low,
                                  const Vec3& high) {
  const graze::Robot& robot = space.robot();
  const ob::StateSamplerPtr sampler = space.allocStateSampler();
  ob::State* const state = space.allocState();
  std::vector<double> q;
  std::vector<graze::LinkPose> links(robot.chain().size());
  for (int i = 0; i < 3000000; ++i) {
    sampler->sampleUniform(state);
    q = space.configuration(state);
    robot.chain().link_poses(q, links);
    const Vec3& at = links[graze::index(tip)].pose.translation();
    bool inside = true;
    for (int k = 0; k < 3; ++k) inside = inside && low[k] < at[k] && at[k] < high[k];
    if (!inside || robot.check(q).status != graze::Status::free) continue;
    space.freeState(state);
    return q;
  }
  space.freeState(state);
  throw std::runtime_error("the arm does not reach into the shelf");
}

/// Accepts what OMPL's samples accept, and counts the edges among them that touch.
class Sampled : public ob::DiscreteMotionValidator {
 public:
  explicit Sampled(const ob::SpaceInformationPtr& si) : DiscreteMotionValidator(si), certified_(si) {}
  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    if (!DiscreteMotionValidator::checkMotion(from, to)) return false;
    ++accepted;
    touching += !certified_.checkMotion(from, to);
    return true;
  }
  mutable std::size_t accepted = 0, touching = 0;

 private:
  graze::RobotMotionValidator certified_;
};

std::size_t touching_edges(const og::PathGeometric& path, const graze::RobotStateSpace& space) {
  std::vector<double> from(space.robot().coordinates()), to(from.size());
  std::size_t count = 0;
  for (unsigned i = 0; i + 1 < path.getStateCount(); ++i) {
    space.motion(path.getState(i), path.getState(i + 1), from, to);
    count += space.robot().check_motion(from, to).status != graze::Status::free;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> arguments;
  unsigned seeds = 3;
  double seconds = 10;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seeds" && i + 1 < argc)
      seeds = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (argument == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else
      arguments.push_back(argument);
  }
  graze::RobotModel model;
  std::string group;
  if (arguments.empty()) {
    model = generated_arm();
  } else if (arguments.size() == 4 && arguments[3].find('=') != std::string::npos) {
    const std::size_t equals = arguments[3].find('=');
    model = graze::load_robot(
        {arguments[0], arguments[1], {{arguments[3].substr(0, equals), arguments[3].substr(equals + 1)}}});
    group = arguments[2];
  } else {
    throw std::runtime_error("usage: ompl_arm [URDF SRDF GROUP NAME=DIR] [--seeds N] [--seconds S]");
  }
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(1);
  const std::string name = model.name;
  const auto robot = std::make_shared<graze::Robot>(std::move(model));
  robot->surroundings(shelf());
  const auto space = std::make_shared<graze::RobotStateSpace>(robot, group);
  const graze::LinkId tip = space->joints().back();
  const std::vector<double> low = reaching_into(*space, tip, {0.48, -0.25, 0.3}, {0.7, 0.25, 0.45});
  const std::vector<double> high = reaching_into(*space, tip, {0.48, -0.25, 0.65}, {0.7, 0.25, 0.8});

  std::printf("%-10s %-10s %7s %15s %15s %20s\n", "robot", "edges by", "solved", "edges accepted", "of these touch",
              "solutions that touch");
  bool all_solved = true;
  for (const bool certified : {false, true}) {
    std::size_t solved = 0, edges = 0, touching = 0, paths = 0;
    for (unsigned i = 0; i < seeds; ++i) {
      og::SimpleSetup setup(space);
      const ob::SpaceInformationPtr& si = setup.getSpaceInformation();
      si->setStateValidityChecker(std::make_shared<graze::RobotStateValidityChecker>(si));
      si->setStateValidityCheckingResolution(0.01);
      const auto sampled = std::make_shared<Sampled>(si);
      if (certified)
        si->setMotionValidator(std::make_shared<graze::RobotMotionValidator>(si));
      else
        si->setMotionValidator(sampled);
      ob::ScopedState<> start(space), goal(space);
      space->set_state(low, start.get());
      space->set_state(high, goal.get());
      setup.setStartAndGoalStates(start, goal);
      setup.setPlanner(std::make_shared<og::RRTConnect>(si));
      setup.solve(seconds);
      edges += certified ? si->getMotionValidator()->getValidMotionCount() : sampled->accepted;
      touching += sampled->touching;
      if (!setup.haveExactSolutionPath()) continue;
      ++solved;
      const std::size_t bad = touching_edges(setup.getSolutionPath(), *space);
      paths += bad > 0;
      if (certified && bad > 0) throw std::runtime_error("a certified path touches something");
    }
    std::printf("%-10s %-10s %3zu/%-3u %15zu %15zu %20zu\n", name.c_str(), certified ? "proof" : "samples", solved,
                seeds, edges, touching, paths);
    all_solved = all_solved && solved > 0;
  }
  return all_solved ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "ompl_arm: %s\n", error.what());
  return 2;
}
