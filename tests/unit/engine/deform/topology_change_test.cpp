// SPDX-License-Identifier: MIT
// A topology that is changed, against a new one of the same mesh.
#include <gtest/gtest.h>

#include <random>

#include "engine/deform/topology/topology.hpp"

namespace graze::engine::deform {
namespace {

using Random = std::mt19937_64;
std::uint32_t below(Random& random, std::size_t n) {
  return static_cast<std::uint32_t>(std::uniform_int_distribution<std::size_t>(0, n - 1)(random));
}

struct Parts {
  std::size_t vertices = 0;
  std::vector<Triangle> triangles;
  LooseParts loose;

  Mesh mesh() const {
    std::vector<Vec3> at(vertices);
    for (std::size_t v = 0; v < vertices; ++v) at[v] = {static_cast<double>(v), static_cast<double>(v * v % 7), 0};
    PolygonList polygons;
    for (const Triangle& t : triangles) polygons.add(t);
    return Mesh(at, std::move(polygons), {}, loose);
  }
};

void expect_same(const Topology& changed, const Mesh& mesh) {
  const Topology anew(mesh);
  ASSERT_EQ(changed.triangle_count(), anew.triangle_count());
  ASSERT_EQ(changed.surface_count(), anew.surface_count());
  ASSERT_EQ(changed.vertex_count(), anew.vertex_count());
  for (std::uint32_t v = 0; v < anew.vertex_count(); ++v) {
    const auto a = changed.around(v), b = anew.around(v);
    ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << "vertex " << v;
  }
  for (std::uint32_t t = 0; t < anew.triangle_count(); ++t) {
    ASSERT_EQ(changed.triangle(t), anew.triangle(t));
    ASSERT_EQ(changed.first_bits(t), anew.first_bits(t)) << "triangle " << t;
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(changed.across(t, k), anew.across(t, k)) << "triangle " << t << ", edge " << k;
      ASSERT_EQ(changed.beyond(t, k), anew.beyond(t, k)) << "triangle " << t << ", edge " << k;
    }
  }
}

/// What may be adjacent has rings in common.
void expect_rings(const Topology& topology) {
  for (std::uint32_t a = 0; a < topology.triangle_count(); ++a)
    for (std::uint32_t b = 0; b < topology.triangle_count(); ++b)
      if (adjacent(topology.triangle(a), topology.triangle(b))) {
        ASSERT_NE(topology.ring(a) & topology.ring(b), 0u) << a << " and " << b;
      }
}

TEST(TopologyChange, IsAsANewTopology) {
  Random random(29);
  for (int scene = 0; scene < 40; ++scene) {
    Parts p;
    p.vertices = 3 + below(random, 40);
    const auto corner = [&] { return below(random, p.vertices); };
    for (std::size_t i = 1 + below(random, 60); i > 0; --i) p.triangles.push_back({corner(), corner(), corner()});
    const Mesh first = p.mesh();
    Topology topology(first);
    std::vector<std::uint32_t> position(topology.triangle_count());
    for (std::uint32_t t = 0; t < position.size(); ++t) position[t] = t;
    topology.number_by(position);
    for (int change = 0; change < 12; ++change) {
      for (std::uint32_t i = below(random, 4); i > 0; --i)
        p.triangles[below(random, p.triangles.size())] = {corner(), corner(), corner()};
      const std::uint32_t what = below(random, 7);
      if (what == 0) p.triangles.push_back({corner(), corner(), corner()});
      if (what == 1 && p.triangles.size() > 1) p.triangles.pop_back();
      if (what == 2) ++p.vertices;
      if (what == 3) p.loose.points.push_back(corner());
      if (what == 4 && p.loose.edges.size() > 1) p.loose.edges.pop_back();
      if (what == 5 || what == 6) {
        const std::uint32_t a = corner(), b = corner();
        if (a != b) p.loose.edges.push_back({a, b});
      }
      const Mesh next = p.mesh();
      const Touched touched = topology.change_to(next);
      ASSERT_NO_FATAL_FAILURE(expect_same(topology, next)) << scene << ", " << change;
      ASSERT_EQ(touched.is_triangle.size(), topology.triangle_count());
      for (std::uint32_t t = 0; t < position.size(); ++t) position[t] = t;
      for (auto t = static_cast<std::uint32_t>(position.size()); t < topology.triangle_count(); ++t)
        position.push_back(t);
      topology.number_touched(touched, position);
      ASSERT_NO_FATAL_FAILURE(expect_rings(topology)) << scene << ", " << change;
    }
  }
}

/// A scene's body that breaks before it has a tree: there is nothing yet to number what was touched by.
TEST(TopologyChange, MoreVerticesMayBeNumberedAsAWhole) {
  Parts p;
  p.vertices = 4;
  p.triangles = {{0, 1, 2}, {1, 3, 2}};
  Topology topology(p.mesh());
  p.vertices = 400;
  for (std::uint32_t v = 4; v + 2 < p.vertices; v += 2) p.triangles.push_back({v, v + 1, v + 2});
  topology.change_to(p.mesh());
  ASSERT_NO_FATAL_FAILURE(expect_rings(topology));
  std::vector<std::uint32_t> position(topology.triangle_count());
  for (std::uint32_t t = 0; t < position.size(); ++t) position[t] = t;
  topology.number_by(position);
  Topology anew(p.mesh());
  anew.number_by(position);
  for (std::uint32_t t = 0; t < position.size(); ++t) ASSERT_EQ(topology.ring(t), anew.ring(t));
}

TEST(TopologyChange, TouchesWhatChanged) {
  Parts p;
  p.vertices = 8;
  p.triangles = {{0, 1, 2}, {1, 3, 2}, {4, 5, 6}, {5, 7, 6}};
  Topology topology(p.mesh());
  p.triangles[3] = {5, 7, 4};
  const Touched touched = topology.change_to(p.mesh());
  EXPECT_EQ(touched.vertices, (std::vector<std::uint32_t>{4, 5, 6, 7}));
  EXPECT_EQ(touched.triangles, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_TRUE(topology.change_to(p.mesh()).vertices.empty());
}

}  // namespace
}  // namespace graze::engine::deform
