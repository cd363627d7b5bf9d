// SPDX-License-Identifier: MIT
#include "scene/kitamura_scenes.hpp"

#include <cmath>

#include <graze/mesh/make.hpp>

#include "scene/meshes.hpp"
#include "scene/poses.hpp"

namespace graze::bench {
namespace {

/// The world is the cube [-side, side]^3.
void add_world(double side, std::vector<InterferenceBody>& bodies) {
  const std::vector<Triangle> one{{0, 1, 2}};
  for (const double s : {-side, side}) {
    const double t = s * 0.999;
    bodies.push_back({.mesh = Mesh({{s, s, s}, {t, s, s}, {s, t, s}}, one)});
  }
}

bool interfere(const std::vector<InterferenceBody>& bodies) { return interference(bodies).status == Status::contact; }

/// B approaches A on a line, both rotating, in steps of 0.02 from 1.4 apart until they touch.
template <class Others>
Cycles come_together(const Mesh& a, const Mesh& b, const Vec3& from, Others&& others) {
  Cycles scene;
  for (int i = 0; i < 72; ++i) {
    const double distance = 1.4 - 0.02 * i;
    std::vector<InterferenceBody> bodies{{.mesh = a, .pose = Pose({0, 0, 0}, turn({0, 0, 1}, 0.02 * i))},
                                         {.mesh = b, .pose = Pose(from * distance, turn({0.6, 0.8, 0}, 0.03 * i))}};
    others(bodies, i);
    scene.cycle.push_back(bodies);
    if (interfere(bodies)) break;
  }
  return scene;
}

}  // namespace

Cycles approaching_spheres(std::size_t triangles) {
  make::SphereOptions options{.radius = 0.5, .triangles = triangles};
  if (triangles == 10) options.meridians = 5, options.bands = 2;  // two sizes that a square grid cannot approximate
  if (triangles == 54) options.meridians = 9, options.bands = 4;
  const Mesh sphere = make::sphere(options);
  return come_together(sphere, sphere, {0.8, 0.48, 0.36}, [](auto& bodies, int) { add_world(2, bodies); });
}

Cycles crowd(std::string_view shape_name, std::size_t triangles, std::size_t count, bool only_two) {
  const Mesh mesh = shape(shape_name, triangles).mesh;
  Random random(42);
  Cycles scene = come_together(mesh, mesh, {0.8, 0.48, 0.36}, [](auto& bodies, int) { add_world(4, bodies); });
  if (only_two) return scene;
  // The others are placed at random, so close that boxes overlap, but where they touch nothing in any cycle.
  const double side = 0.75 * std::cbrt(static_cast<double>(count));
  std::vector<Pose> others;
  while (others.size() + 2 < count) {
    const Pose pose({random.uniform(-side, side), random.uniform(-side, side), random.uniform(-side, side)},
                    random.rotation());
    std::vector<InterferenceBody> last = scene.cycle.back(), first = scene.cycle.front();
    for (const Pose& other : others) last.push_back({.mesh = mesh, .pose = other});
    const std::size_t before = interference(last).pairs.size();
    last.push_back({.mesh = mesh, .pose = pose});
    first.push_back({.mesh = mesh, .pose = pose});
    if (interference(last).pairs.size() == before && !interfere(first)) others.push_back(pose);
  }
  for (auto& bodies : scene.cycle)
    for (const Pose& pose : others) bodies.push_back({.mesh = mesh, .pose = pose});
  return scene;
}

Cycles interactive(std::size_t cycles) {
  struct Actor {
    Mesh mesh;
    Vec3 at, velocity;
    bool deforms;
  };
  Random random(7);
  std::vector<Actor> actors;
  const auto add = [&](Mesh mesh, bool deforms) {
    const Vec3 at{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8)};
    actors.push_back({std::move(mesh), at, random.direction() * 0.03, deforms});
  };
  add(shape("head", 1816).mesh, false);
  add(shape("shuttle", 528).mesh, false);
  add(shape("sphere", 528).mesh, true);
  for (int hand = 0; hand < 2; ++hand) add(shape("bunny", 960).mesh, true);
  Cycles scene;
  for (std::size_t i = 0; i < cycles; ++i) {
    const double t = static_cast<double>(i);
    std::vector<InterferenceBody> bodies;
    for (Actor& actor : actors) {
      actor.at = actor.at + actor.velocity;
      for (int k = 0; k < 3; ++k)
        if (std::fabs(actor.at[k]) > 0.9) actor.velocity[k] = std::copysign(actor.velocity[k], -actor.at[k]);
      if (!actor.deforms) {
        bodies.push_back({.mesh = actor.mesh, .pose = Pose(actor.at, turn({0.6, 0, 0.8}, 0.03 * t))});
        continue;
      }
      auto& now = scene.positions.emplace_back(actor.mesh.positions().begin(), actor.mesh.positions().end());
      for (Vec3& p : now) p = p * (1 + 0.15 * std::sin(0.1 * t + 6 * p.x) * std::cos(5 * p.y)) + actor.at;
      bodies.push_back({.mesh = actor.mesh, .positions = now});
    }
    scene.cycle.push_back(std::move(bodies));
  }
  return scene;
}

Cycles update_scene() {
  const Mesh sphere = shape("sphere", 120).mesh, chair = shape("chair", 146).mesh;
  return come_together(shape("head", 1816).mesh, shape("shuttle", 528).mesh, {0.8, 0.48, 0.36},
                       [&](std::vector<InterferenceBody>& bodies, int i) {
                         bodies.push_back({.mesh = sphere, .pose = Pose({-0.9, 0.3, 0.4}, turn({0, 1, 0}, 0.02 * i))});
                         bodies.push_back({.mesh = chair, .pose = Pose({0.3, -1, 0.3}, turn({1, 0, 0}, 0.02 * i))});
                         add_world(2, bodies);
                       });
}

}  // namespace graze::bench
