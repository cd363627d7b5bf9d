// SPDX-License-Identifier: MIT
#include "scene/arms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include <graze/mesh/make.hpp>
#ifdef GRAZE_BENCH_ROBOT
#include <graze/robot/urdf.hpp>
#endif

namespace graze::bench {
namespace {

namespace fs = std::filesystem;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double real(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }

 private:
  std::mt19937_64 engine_;
};

Arm seven_joints() {
  Arm arm{"arm of 7 joints", {}};
  arm.model.name = arm.name;
  const double lengths[] = {0.3, 0.2, 0.25, 0.2, 0.2, 0.15, 0.15};
  for (int i = 0; i < 7; ++i) {
    const std::string name = "l" + std::to_string(i);
    const double length = lengths[i];
    Joint joint{.type = JointType::revolute,
                .origin = Pose({0, 0, i ? lengths[i - 1] : 0.1}),
                .axis = i % 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1},
                .limits = JointLimits{-2.8, 2.8}};
    arm.model.links.push_back({name, i ? "l" + std::to_string(i - 1) : "", joint});
    arm.model.pieces.push_back({name, Body(make::cylinder({.radius = 0.05, .height = length - 0.02, .triangles = 300})),
                                Pose({0, 0, 0.5 * length})});
  }
  return arm;
}

}  // namespace

std::optional<fs::path> robot_data() {
  const char* named = std::getenv("GRAZE_SHARED_DATA");
  const fs::path path = named ? fs::path(named) : fs::path(GRAZE_BENCH_DATA) / "../../../shared/data";
  if (!fs::is_directory(path / "robots")) return std::nullopt;
  return path;
}

std::vector<Arm> arms() {
  std::vector<Arm> out;
#ifdef GRAZE_BENCH_ROBOT
  if (const auto data = robot_data()) {
    const auto add = [&](const char* name, const fs::path& urdf, const fs::path& srdf) {
      out.push_back(
          {name, load_robot({*data / "robots" / urdf, *data / "robots" / srdf, {{"example-robot-data", *data}}})});
    };
    add("Panda", "panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf");
    add("UR5", "ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf");
  }
#endif
  if (out.empty()) out.push_back(seven_joints());
  return out;
}

std::vector<Obstacle> clutter(std::size_t triangles, std::uint64_t seed) {
  Dice dice(seed);
  constexpr int count = 10;
  std::vector<Obstacle> out;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * 3.14159265358979 * i / count, away = dice.real(0.45, 0.8);
    const Vec3 at{away * std::cos(angle), away * std::sin(angle), dice.real(0.1, 0.9)};
    const Mesh mesh = i % 2 ? make::torus({.major = 0.12, .minor = 0.05, .triangles = triangles / count})
                            : make::sphere({.radius = 0.12, .triangles = triangles / count});
    out.push_back({Body(mesh), Pose(at, {1, dice.real(-1, 1), dice.real(-1, 1), dice.real(-1, 1)}),
                   "obstacle " + std::to_string(i)});
  }
  return out;
}

ArmQuestions arm_questions(const Robot& robot, std::size_t states, std::size_t motions, double reach,
                           std::uint64_t seed) {
  Dice dice(seed);
  const Chain& chain = robot.chain();
  std::vector<JointLimits> limits(chain.coordinates());
  for (std::uint32_t i = 0; i < chain.size(); ++i)
    if (const auto first = chain.first_coordinate(LinkId{i})) {
      const JointLimits given = chain.link(LinkId{i}).joint.limits.value_or(JointLimits{-3, 3});
      limits[*first] = {std::max(given.lower, -3.0), std::min(given.upper, 3.0)};
    }
  const auto random_state = [&] {
    std::vector<double> q;
    for (const JointLimits& l : limits) q.push_back(dice.real(l.lower, l.upper));
    return q;
  };
  ArmQuestions out;
  for (std::size_t i = 0; i < states; ++i)
    for (const double x : random_state()) out.states.push_back(x);
  for (std::size_t i = 0; i < motions;) {
    const std::vector<double> from = random_state();
    if (robot.check(from).status != Status::free) continue;
    std::vector<double> way;
    double most = 0;
    for (std::size_t k = 0; k < from.size(); ++k) {
      way.push_back(dice.real(-1, 1) * std::min(1.0, limits[k].upper - limits[k].lower));
      most = std::max(most, std::fabs(way[k]));
    }
    for (std::size_t k = 0; k < from.size(); ++k) {
      out.from.push_back(from[k]);
      out.to.push_back(std::clamp(from[k] + reach * way[k] / most, limits[k].lower, limits[k].upper));
    }
    ++i;
  }
  return out;
}

}  // namespace graze::bench
