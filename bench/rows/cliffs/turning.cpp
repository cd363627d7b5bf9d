// SPDX-License-Identifier: MIT
// A ball under a cloth that nearly touches it everywhere: turning, sliding, and at rest.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include <graze/ask/deform_scene.hpp>
#include <graze/mesh/make.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

/// A square of 2 n^2 triangles that lies on the unit ball, `gap` above it, and hangs down around it.
Mesh draped(int n, double gap) {
  std::vector<Vec3> points;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const double x = -1.5 + 3.0 * i / n, y = -1.5 + 3.0 * j / n, r2 = x * x + y * y;
      points.push_back({x, y, r2 < 1 ? std::sqrt(1 - r2) + gap : gap - 0.3 * (std::sqrt(r2) - 1)});
    }
  std::vector<Triangle> triangles;
  const auto id = [&](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
      triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  return Mesh(points, std::span<const Triangle>(triangles));
}

/// The cloth sinks by a few thousandths while the ball moves.
std::function<std::string()> question(const Mesh& cloth, const Body& ball, const Motion& motion, bool all) {
  const auto scene = std::make_shared<DeformScene>();
  const SceneBodyId soft = scene->add_deforming(cloth);
  scene->add_rigid(ball, motion);
  std::vector<Vec3> to(cloth.positions().begin(), cloth.positions().end());
  for (Vec3& x : to) x.z -= 0.005;
  scene->move(soft, to);
  const auto result = std::make_shared<SceneResult>();
  DeformOptions options;
  options.crossing_at_start = false;
  options.all = all;
  return [=] {
    scene->contacts(options, *result);
    return result->status == Status::contact ? std::string() : fmt::format("{}", name(result->status));
  };
}

}  // namespace

void row_cliff_turning(Context& context) {
  const int n = context.quick ? 30 : 60;
  const Mesh cloth = draped(n, 0.02);
  const Body ball(make::sphere({.radius = 1, .triangles = static_cast<std::size_t>(2 * n * n / 3)}));
  const auto turning = [](double angle) { return Motion(Velocity::from_speeds(Pose(), {}, {0, 0, angle})); };
  const auto sliding = [](double way) { return Motion(Velocity(Pose(), Pose({way, 0, 0}))); };
  const Motion rest = Still{Pose()};
  std::vector<Cliff> cliffs;
  for (const double angle : {0.02, 0.1, 0.5, 3.0})
    cliffs.push_back({fmt::format("a ball that turns by {} under a cloth", angle), 3,
                      question(cloth, ball, turning(angle), true), question(cloth, ball, sliding(angle), true),
                      "sliding as far as its equator"});
  cliffs.push_back({"a ball that turns by 0.02 under a cloth", 3, question(cloth, ball, turning(0.02), true),
                    question(cloth, ball, rest, true), "at rest"});
  cliffs.push_back({"a ball that turns by 0.5, the earliest contact alone", 3,
                    question(cloth, ball, turning(0.5), false), question(cloth, ball, rest, false), "at rest"});
  // A curved shape, of which every triangle near it is asked.
  const Mesh close = draped(n, 0.004);
  const Body egg(shape::Ellipsoid{{1, 1, 1}});
  cliffs.push_back({"an ellipsoid that turns by 3 about its axis under a cloth", 3,
                    question(close, egg, turning(3), true), question(close, egg, rest, true), "at rest"});
  compare_cliffs(context, "turning", cliffs);
}

}  // namespace graze::bench
