// SPDX-License-Identifier: MIT
// Scenes for `interference`, and every way to ask it.
#pragma once

#include <list>
#include <string>
#include <vector>

#include <graze/ask/interference.hpp>
#include <graze/classic/kitamura.hpp>
#include <graze/mesh/make.hpp>

#include "soups.hpp"

namespace graze::testing {

/// A method with some of its switches.
struct Variant {
  std::string name;
  InterferenceOptions options;
};

inline std::vector<Variant> all_variants() {
  using classic::kitamura::OctreeOptions, classic::kitamura::Options;
  using Stage = OctreeOptions::BodyStage;
  using Root = OctreeOptions::Root;
  std::vector<Variant> variants;
  for (const InterferenceTraits& method : interference_methods()) {
    Variant variant{std::string(method.name), {}};
    variant.options.method = method.name;
    variants.push_back(variant);
  }
  const auto kitamura = [&](const char* name, OctreeOptions options) {
    variants.push_back({std::string("kitamura, ") + name, {.kitamura = Options{.octree = options}}});
  };
  kitamura("as in the paper", {.bodies = Stage::all_pairs, .root = Root::world, .clip = true, .level = 3});
  kitamura("world", {.root = Root::world});
  kitamura("body stage skipped", {.bodies = Stage::skipped});
  kitamura("bintree", {.bintree = true});
  kitamura("bintree of level 2 in the world", {.root = Root::world, .bintree = true, .level = 2});
  kitamura("level 0", {.level = 0});
  kitamura("level 2", {.level = 2});
  variants.push_back(
      {"octree_update, levels 3 and 3", {.method = "octree_update", .kitamura = Options{.octree_update = {3, 3}}}});
  return variants;
}

/// Two to six soups, boxes or spheres: deformed or placed, near or far from the origin, tiny or huge.
struct RandomBodies {
  std::vector<InterferenceBody> bodies;
  std::list<std::vector<Vec3>> positions;
  std::string what;

  explicit RandomBodies(oracle::Random& random) {
    const bool grid = random() % 2;
    const int shape = oracle::whole(random, 0, 2), scale = oracle::whole(random, 0, 3);
    const int power = scale == 0 ? -1000 : scale == 1 ? 990 : 0;
    const double far = scale == 2 ? 0x1p30 : 0;
    const int count = oracle::whole(random, 2, 6);
    what = "shape " + std::to_string(shape) + ", scale " + std::to_string(scale) + ", " + std::to_string(count) +
           (grid ? " bodies, grid" : " bodies");
    for (int i = 0; i < count; ++i) {
      Mesh mesh = shape == 0   ? soup(random, oracle::whole(random, 1, 12), grid)
                  : shape == 1 ? box(oracle::grid_point(random, 1), oracle::grid_point(random, 3))
                               : make::sphere({.triangles = 24});
      const int variant = grid ? 0 : oracle::whole(random, 0, 2);
      std::vector<Vec3>& now = positions.emplace_back(mesh.positions().begin(), mesh.positions().end());
      const Vec3 move = grid ? oracle::grid_point(random, 2) : oracle::real_point(random, 2);
      for (Vec3& p : now)
        p = oracle::times_power_of_two(
            p + move + (variant == 1 ? oracle::real_point(random, 0.2) : Vec3{}) + Vec3{far, -far, far}, power);
      if (variant == 2)
        bodies.push_back({.mesh = Mesh(now, mesh.triangles()),
                          .pose = scale < 2 ? oracle::random_pose(random) : Pose({0.25, 0, 0}, {1, 0.001, 0, 0})});
      else
        bodies.push_back({.mesh = std::move(mesh), .positions = now});
    }
  }
};

/// Two spheres of radius 1/2, one at the origin, the other's centre at (d, 0.1, 0.2), turned.
struct Spheres {
  std::vector<InterferenceBody> bodies;
  Spheres(std::size_t triangles, double d) {
    const Mesh sphere = make::sphere({.radius = 0.5, .triangles = triangles});
    bodies = {{.mesh = sphere, .pose = Pose()}, {.mesh = sphere, .pose = Pose({d, 0.1, 0.2}, {1, 0.3, 0.2, 0.1})}};
  }
};

}  // namespace graze::testing
