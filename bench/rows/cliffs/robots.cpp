// SPDX-License-Identifier: MIT
// A robot among many obstacles, and beside clouds of many points.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <memory>
#include <random>

#include <graze/mesh/make.hpp>
#include <graze/mesh/points.hpp>
#include <graze/robot/robot.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

RobotModel four_joints() {
  RobotModel model;
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("l{}", i);
    model.links.push_back({name,
                           i ? fmt::format("l{}", i - 1) : "",
                           {.type = JointType::revolute,
                            .origin = Pose({0, 0, i ? 0.3 : 0.0}),
                            .axis = i % 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1}}});
    model.pieces.push_back(
        {name, Body(make::cylinder({.radius = 0.05, .height = 0.28, .triangles = 500})), Pose({0, 0, 0.15})});
  }
  return model;
}

double draw(std::mt19937_64& engine, double low, double high) {
  return low + (high - low) * std::ldexp(static_cast<double>(engine() >> 11), -53);
}

/// Ten balls within reach, and others around them, far and farther.
std::vector<Obstacle> balls(std::size_t others) {
  const Body ball(make::sphere({.radius = 0.06, .triangles = 500}));
  std::vector<Obstacle> out;
  for (int i = 0; i < 10; ++i) {
    const double angle = 0.6283 * i;
    out.push_back({ball, Pose({0.45 * std::cos(angle), 0.45 * std::sin(angle), 0.2 + 0.08 * i}), "near"});
  }
  std::mt19937_64 engine(2);
  while (out.size() < 10 + others) {
    const Vec3 at{draw(engine, -20, 20), draw(engine, -20, 20), draw(engine, -20, 20)};
    if (at.x * at.x + at.y * at.y + at.z * at.z > 4) out.push_back({ball, Pose(at), "far"});
  }
  return out;
}

/// A scanned room: points on four walls and the ceiling, the nearest 0.6 from the arm.
Obstacle scan(std::size_t count) {
  std::mt19937_64 engine(3);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = draw(engine, -2, 2), v = draw(engine, 0, 2), rough = draw(engine, 0, 0.01);
    switch (i % 5) {
      case 0: points.push_back({0.6 + rough, u, v}); break;
      case 1: points.push_back({-2 - rough, u, v}); break;
      case 2: points.push_back({u, 2 + rough, v}); break;
      case 3: points.push_back({u, -2 - rough, v}); break;
      default: points.push_back({u, 2 * v - 2, 2 + rough}); break;
    }
  }
  return {Body(point_mesh(points)), Pose(), "scan", {}, 0.01};
}

/// Asks about all states, or about motions from each to the next.
std::function<std::string()> asking(std::vector<Obstacle> obstacles, bool motions, Status wanted) {
  const auto robot = std::make_shared<Robot>(four_joints());
  robot->surroundings(std::move(obstacles));
  const auto memory = std::make_shared<RobotMemory>();
  return [=] {
    for (int i = 0; i < 8; ++i) {
      const std::array<double, 4> q{0.1 * i, 0.2 + 0.05 * i, 0.1, 0.4}, to{0.1 * i + 0.1, 0.25 + 0.05 * i, 0.1, 0.5};
      const Status status = motions ? robot->motion_free(q, to, {.memory = memory.get()}).status
                                    : robot->check(q, {.memory = memory.get()}).status;
      if (status != wanted) return fmt::format("{} instead of {}", name(status), name(wanted));
    }
    return std::string();
  };
}

}  // namespace

void row_cliff_robots(Context& context) {
  const std::size_t many = context.quick ? 500 : 10000, points = context.quick ? 20000 : 100000;
  std::vector<Cliff> cliffs;
  for (const bool motions : {false, true}) {
    const std::string what = motions ? "motions" : "states";
    cliffs.push_back({fmt::format("{} of an arm among ten obstacles and {} that are far", what, many), 2,
                      asking(balls(many), motions, Status::free), asking(balls(0), motions, Status::free), "ten"});
    cliffs.push_back({fmt::format("{} of an arm in a scanned room of {} points", what, points), 4,
                      asking({scan(points)}, motions, Status::free), asking({scan(1000)}, motions, Status::free),
                      "1,000 points"});
  }
  compare_cliffs(context, "robots", cliffs);
}

}  // namespace graze::bench
