// SPDX-License-Identifier: MIT
// A line search like that of IPC, a cloth on a ball with a minimum separation: once some features had come within the
// separation by a rounding, every further step was 0, also for what moved apart, and the simulation stood still.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

struct Spring {
  std::uint32_t a, b;
  double rest;
};

/// Moves the ends `to` of features that are near at x so that along their direction there they are `wanted` apart.
/// Returns how far they are apart at x. Vertices from `fixed` on stay.
double push_apart(const DeformContact& c, std::span<const Vec3> x, std::span<Vec3> to, std::uint32_t fixed,
                  double wanted) {
  ElementaryQuery q{c.kind, {}, {}};
  for (std::size_t i = 0; i < 4; ++i) q.start[i] = q.end[i] = x[c.vertices[i]];
  ElementaryResult r = elementary_contact(q, {.min_separation = 1});
  for (std::size_t i = c.kind == ElementaryKind::vertex_face ? 1 : 2; i < 4; ++i) r.weights[i] = -r.weights[i];
  Vec3 between{}, later{};
  double mobility = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    between = between + q.start[i] * r.weights[i];
    later = later + to[c.vertices[i]] * r.weights[i];
    if (c.vertices[i] < fixed) mobility += r.weights[i] * r.weights[i];
  }
  const double missing = wanted - dot(later, between) / r.gap;
  if (missing > 0 && mobility > 0)
    for (std::size_t i = 0; i < 4; ++i)
      if (c.vertices[i] < fixed)
        to[c.vertices[i]] = to[c.vertices[i]] + between * (r.weights[i] * missing / (mobility * r.gap));
  return r.gap;
}

TEST(LineSearchFreezes, WithAMinimumSeparationNoMore) {
  const Mesh cloth = make::cloth_sheet({.width = 2, .height = 2, .triangles = 450});
  const Mesh ball = make::sphere({.radius = 0.6, .triangles = 500});
  std::vector<Vec3> x;
  for (const Vec3& p : cloth.positions()) x.push_back(p + Vec3{0, 0, 0.6004});
  std::vector<Triangle> list(cloth.triangles().begin(), cloth.triangles().end());
  const auto moving = static_cast<std::uint32_t>(x.size());
  for (const Vec3& p : ball.positions()) x.push_back(p);
  for (const Triangle& t : ball.triangles()) list.push_back({t[0] + moving, t[1] + moving, t[2] + moving});
  std::set<std::array<std::uint32_t, 2>> edges;
  for (const Triangle& t : cloth.triangles())
    for (std::size_t k = 0; k < 3; ++k) edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::vector<Spring> springs;
  for (const auto& [a, b] : edges) springs.push_back({a, b, length(x[b] - x[a])});

  Deformable mesh(Mesh(x, std::span<const Triangle>(list)));
  constexpr double separation = 1e-3, h = 0.01;
  std::vector<Vec3> velocity(x.size());
  DeformResult near;
  int stopped = 0, within = 0;
  double way = 0;
  for (int frame = 0; frame < 120; ++frame) {
    std::vector<Vec3> to = x;
    for (std::size_t i = 0; i < moving; ++i) {
      velocity[i].z -= 9.81 * h;
      to[i] = x[i] + velocity[i] * h;
    }
    for (int pass = 0; pass < 20; ++pass)
      for (const Spring& s : springs) {
        const Vec3 d = to[s.b] - to[s.a];
        const double l = length(d);
        const Vec3 k = d * (0.45 * (l - s.rest) / l);
        to[s.a] = to[s.a] + k;
        to[s.b] = to[s.b] - k;
      }
    // What is near now is to keep twice the separation.
    mesh.contacts(x, {.min_separation = 4 * separation, .crossing_at_start = false}, near);
    for (int pass = 0; pass < 10; ++pass)
      for (const DeformContact& c : near.contacts) within += push_apart(c, x, to, moving, 2 * separation) < separation;
    const StepSize s = mesh.step_size(to, {.min_separation = separation});
    ASSERT_GT(s.step, 0) << frame;
    stopped += s.status == Status::contact;
    way += s.step;
    for (std::size_t i = 0; i < moving; ++i) {
      const Vec3 before = x[i];
      x[i] = x[i] + (to[i] - x[i]) * s.step;
      velocity[i] = (x[i] - before) * (1 / h);
    }
    mesh.set_positions(x);
  }
  EXPECT_GT(stopped, 10);
  EXPECT_GT(way, 60);
  EXPECT_GT(within, 0);
  EXPECT_TRUE(mesh.contacts(x).crossing_at_start.empty());
}

}  // namespace
}  // namespace graze
