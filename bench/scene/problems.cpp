// SPDX-License-Identifier: MIT
#include "scene/problems.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include <graze/mesh/make.hpp>
#ifdef GRAZE_BENCH_ASSIMP
#include <graze/io/assimp.hpp>
#endif

#include "scene/arms.hpp"

namespace graze::bench {
namespace {

/// Four bars of a wall around a hole.
PlanningProblem window() {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  const auto add = [&](const Vec3& size, const Vec3& at) {
    const Mesh bar = make::box({.size = size, .triangles = 600});
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const Vec3& p : bar.positions()) positions.push_back(p + at);
    for (const Triangle& t : bar.triangles()) triangles.push_back({first + t[0], first + t[1], first + t[2]});
  };
  for (const double side : {-1.0, 1.0}) {
    add({0.02, 2, 1.75}, {0, 0, side * 1.125});
    add({0.02, 0.4, 0.5}, {0, side * 0.8, 0});
  }
  return {"window",           make::box({.size = {0.2, 0.9, 0.2}}), Mesh(positions, triangles),
          Pose({-1, 0, 0.8}), Pose({1, 0, -0.8}, {1, 1, 0, 0}),     {-2, -1, -2},
          {2, 1, 2}};
}

#ifdef GRAZE_BENCH_ASSIMP
namespace fs = std::filesystem;

/// OMPL.app poses a robot by the mean of its vertices, of which it makes equal ones one.
Mesh centred(const Mesh& mesh) {
  std::set<std::array<double, 3>> vertices;
  for (const Vec3& p : mesh.positions()) vertices.insert({p.x, p.y, p.z});
  Vec3 mean;
  for (const auto& [x, y, z] : vertices) mean = mean + Vec3{x, y, z};
  mean = mean * (1.0 / static_cast<double>(vertices.size()));
  std::vector<Vec3> moved;
  for (const Vec3& p : mesh.positions()) moved.push_back(p - mean);
  return Mesh(std::move(moved), mesh.triangles());
}

/// The .cfg files of OMPL.app; start and goal of ours are not turned.
PlanningProblem read(const fs::path& folder, const std::string& name) {
  std::ifstream in(folder / (name + ".cfg"));
  std::map<std::string, double> numbers;
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    std::string key = line.substr(0, equals);
    key.erase(key.find_last_not_of(' ') + 1);
    try {
      numbers[key] = std::stod(line.substr(equals + 1));
    } catch (const std::exception&) {  // names of files and planners
    }
  }
  const auto at = [&](const std::string& key) {
    return Vec3{numbers.at(key + ".x"), numbers.at(key + ".y"), numbers.at(key + ".z")};
  };
  for (const char* const theta : {"start.theta", "goal.theta"})
    if (numbers.at(theta) != 0) throw std::runtime_error(name + ".cfg: a turned start or goal is not read here");
  return {name,
          centred(load_with_assimp(folder / (name + "_robot.dae"))),
          load_with_assimp(folder / (name + "_env.dae")),
          Pose(at("start")),
          Pose(at("goal")),
          at("volume.min"),
          at("volume.max")};
}
#endif

}  // namespace

std::vector<PlanningProblem> planning_problems() {
  std::vector<PlanningProblem> out;
#ifdef GRAZE_BENCH_ASSIMP
  if (const auto data = robot_data(); data && fs::is_directory(*data / "planning"))
    for (const char* const name : {"cubicles", "Easy", "Twistycool"}) out.push_back(read(*data / "planning", name));
#endif
  if (out.empty()) out.push_back(window());
  return out;
}

}  // namespace graze::bench
