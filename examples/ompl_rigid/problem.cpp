// SPDX-License-Identifier: MIT
#include "problem.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#ifdef EXAMPLE_HAS_ASSIMP
#include <graze/io/assimp.hpp>
#endif

namespace {

using graze::Vec3;

graze::Mesh load(const std::filesystem::path& file) {
#ifdef EXAMPLE_HAS_ASSIMP
  return graze::load_with_assimp(file);
#else
  return graze::load_mesh(file);  // says which formats it knows
#endif
}

/// OMPL.app poses a robot by the mean of its vertices, of which it makes equal ones one.
graze::Mesh centred(const graze::Mesh& mesh) {
  std::set<std::array<double, 3>> vertices;
  for (const Vec3& p : mesh.positions()) vertices.insert({p.x, p.y, p.z});
  Vec3 mean;
  for (const auto& [x, y, z] : vertices) mean = mean + Vec3{x, y, z};
  mean = mean * (1.0 / static_cast<double>(vertices.size()));
  std::vector<Vec3> moved;
  for (const Vec3& p : mesh.positions()) moved.push_back(p - mean);
  return graze::Body(mesh).deformed(moved).mesh();
}

class Settings {
 public:
  explicit Settings(const std::filesystem::path& file) : file_(file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file.string() + ": cannot be read");
    for (std::string line; std::getline(in, line);) {
      const std::size_t equals = line.find('=');
      if (equals != std::string::npos) values_[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
  }
  std::string text(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) throw std::runtime_error(file_.string() + ": there is no '" + key + "'");
    return found->second;
  }
  double number(const std::string& key) const {
    const std::string value = text(key);
    std::size_t used = 0;
    double x = 0;
    try {
      x = std::stod(value, &used);
    } catch (const std::exception&) {
    }
    if (value.empty() || used != value.size())
      throw std::runtime_error(file_.string() + ": '" + key + "' is no number: " + value);
    return x;
  }
  Vec3 vector(const std::string& key) const { return {number(key + ".x"), number(key + ".y"), number(key + ".z")}; }
  graze::Pose pose(const std::string& key) const {
    const Vec3 axis = vector(key + ".axis");
    const double half = 0.5 * number(key + ".theta"), size = std::hypot(axis.x, axis.y, axis.z);
    const double s = half == 0 ? 0 : std::sin(half) / size;
    return graze::Pose(vector(key), graze::Quat{std::cos(half), s * axis.x, s * axis.y, s * axis.z});
  }

 private:
  static std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
  }
  std::filesystem::path file_;
  std::map<std::string, std::string> values_;
};

}  // namespace

Problem read_problem(const std::filesystem::path& cfg) {
  const Settings settings(cfg);
  const auto mesh = [&](const char* key) { return load(cfg.parent_path() / settings.text(key)); };
  return {settings.text("name"),        centred(mesh("robot")), mesh("world"),
          settings.pose("start"),       settings.pose("goal"),  settings.vector("volume.min"),
          settings.vector("volume.max")};
}

Problem window() {
  // Four bars of a frame around a hole of 1.2 x 0.5, thin enough to fall between samples.
  std::vector<Vec3> positions;
  std::vector<graze::Triangle> triangles;
  const auto add = [&](const Vec3& size, const Vec3& at) {
    const graze::Mesh bar = graze::make::box({.size = size, .triangles = 600});
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const Vec3& p : bar.positions()) positions.push_back(p + at);
    for (const graze::Triangle& t : bar.triangles()) triangles.push_back({first + t[0], first + t[1], first + t[2]});
  };
  for (const double side : {-1.0, 1.0}) {
    add({0.02, 2, 1.75}, {0, 0, side * 1.125});
    add({0.02, 0.4, 0.5}, {0, side * 0.8, 0});
  }
  const graze::Mesh bar = graze::make::box({.size = {0.2, 0.9, 0.2}});
  return {"window",
          bar,
          graze::Mesh(positions, triangles),
          graze::Pose({-1, 0, 0.8}),
          graze::Pose({1, 0, -0.8}, {1, 1, 0, 0}),
          {-2, -1, -2},
          {2, 1, 2}};
}
