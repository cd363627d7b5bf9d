// SPDX-License-Identifier: MIT
// Small bodies and pairs of them for the methods of the thesis.
#pragma once

#include <string>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/make.hpp>
#include <graze/mesh/mesh.hpp>

#include "all_counters.hpp"
#include "oracle/pose_generators.hpp"

namespace graze::thesis {

/// A box of six quads facing outward, or inward.
inline Mesh box(const Vec3& lo, const Vec3& hi, bool inward = false) {
  std::vector<Vec3> p;
  for (unsigned i = 0; i < 8; ++i) p.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
  PolygonList polygons;
  for (std::array<std::uint32_t, 4> f : {std::array<std::uint32_t, 4>{0, 2, 3, 1},
                                         {4, 5, 7, 6},
                                         {0, 1, 5, 4},
                                         {2, 6, 7, 3},
                                         {0, 4, 6, 2},
                                         {1, 3, 7, 5}}) {
    if (inward) std::swap(f[0], f[2]);
    polygons.add(f);
  }
  return Mesh(std::move(p), std::move(polygons));
}

/// A tetrahedron of four points, facing inward if they are so ordered.
inline Mesh tetrahedron(const std::array<Vec3, 4>& p) {
  const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  return Mesh(std::vector<Vec3>(p.begin(), p.end()), faces);
}

/// Convex, with corners on a small grid: what it meets it often only touches.
inline Mesh random_convex(oracle::Random& random) {
  switch (oracle::whole(random, 0, 6)) {
    case 0: {
      const Vec3 lo = oracle::grid_point(random, 1), size = oracle::grid_point(random, 1) + Vec3{2, 2, 2};
      return box(lo, lo + size, oracle::whole(random, 0, 1) == 1);
    }
    case 3: return box({-4, -4, -4}, {5, 4, 3});
    case 4: return tetrahedron({Vec3{0, 0, 0}, Vec3{0.5, 0, 0}, Vec3{0, 0.5, 0}, Vec3{0, 0, 0.5}});
    case 1: return make::box({.size = {2, 2, 2}, .triangles = 48, .divisions = 2});
    case 2: return make::sphere({.radius = 1, .triangles = 0, .meridians = 5, .bands = 3});
    default:
      for (;;) {
        std::array<Vec3, 4> p;
        for (Vec3& x : p) x = oracle::grid_point(random, 2);
        if (oracle::orient3d_sign(p[0], p[1], p[2], p[3]) != 0) return tetrahedron(p);
      }
  }
}

struct Placed {
  Body a, b;
  Pose pose_a, pose_b;
};

inline Placed random_convex_pair(oracle::Random& random) {
  const Body a(random_convex(random)), b(random_convex(random));
  const Pose pose = oracle::random_pose(random);
  switch (oracle::whole(random, 0, 2)) {
    case 0: return {a, b, pose, pose};
    case 1:
      return {a, b, Pose(oracle::grid_point(random, 2)),
              Pose(oracle::grid_point(random, 2), oracle::quarter_turn(random))};
    default: return {a, b, pose, oracle::random_pose(random)};
  }
}

/// With the counters of the method.
using Answer = testing::Counted<CollideResult>;

inline Answer ask(const Placed& p, CollideOptions options) {
  return testing::counted([&](MethodCounters* own) {
    options.method_counters = own;
    return collide(p.a, p.pose_a, p.b, p.pose_b, options);
  });
}
inline CollideResult brute(const Placed& p, bool solid) { return ask(p, {.method = "brute", .solid = solid}); }

inline std::string text(const Placed& p) {
  std::string out = oracle::describe(p.pose_a) + " " + oracle::describe(p.pose_b);
  for (const Body* body : {&p.a, &p.b}) {
    out += "\n";
    for (const Vec3& x : body->mesh().positions())
      out += "{" + std::to_string(x.x) + "," + std::to_string(x.y) + "," + std::to_string(x.z) + "} ";
  }
  return out;
}

}  // namespace graze::thesis
