// SPDX-License-Identifier: MIT
#include "engine/manifold/flat_regions.hpp"

#include <algorithm>

#include "body/edge_list.hpp"
#include "core/disjoint_sets.hpp"
#include "math/vectors.hpp"

namespace graze::engine::manifold {

namespace {

Vec3 unit_normal(const Mesh& mesh, std::uint32_t triangle) {
  const Triangle& t = mesh.triangles()[triangle];
  const Vec3 a = mesh.positions()[t[0]] * 0.5, b = mesh.positions()[t[1]] * 0.5, c = mesh.positions()[t[2]] * 0.5;
  return math::unit(cross(math::of_size_one(b - a), math::of_size_one(c - a)));
}

}  // namespace

FlatRegions::FlatRegions(const Mesh& mesh) {
  // Neighbours are in one region if their normals differ by less than this. A region of many may still bend by much
  // more. That costs nothing but the ids of the edges in it.
  constexpr double same_plane = 1e-9;
  const auto triangles = static_cast<std::uint32_t>(mesh.triangle_count());
  const body::EdgeList edges(mesh);
  core::DisjointSets sets(triangles);
  std::vector<Vec3> normals(triangles);
  for (std::uint32_t t = 0; t < triangles; ++t) normals[t] = unit_normal(mesh, t);
  inner.assign(triangles, 0);
  is_edge.assign(mesh.vertex_count(), 0);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [v0, v1] = edges.vertices[e];
    const auto both = edges.triangles_of(e);
    const bool flat = both.size() == 2 && normals[both[0]] != Vec3{} &&
                      math::largest(normals[both[0]] - normals[both[1]]) < same_plane;
    if (!flat) {
      is_edge[v0] = is_edge[v1] = 1;
      continue;
    }
    sets.unite(both[0], both[1]);
    for (const std::uint32_t t : both)
      for (unsigned k = 0; k < 3; ++k) {
        const std::uint32_t a = mesh.triangles()[t][k], b = mesh.triangles()[t][(k + 1) % 3];
        if (std::min(a, b) == v0 && std::max(a, b) == v1) inner[t] = static_cast<std::uint8_t>(inner[t] | (1U << k));
      }
  }
  face.resize(triangles);
  // A region's root is its lowest triangle, and triangles are numbered polygon by polygon.
  for (std::uint32_t t = 0; t < triangles; ++t) face[t] = index(mesh.polygon_of(TriangleId{sets.root(t)}));
}

}  // namespace graze::engine::manifold
