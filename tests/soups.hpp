// SPDX-License-Identifier: MIT
// Small meshes for comparing methods: triangle soups on grids and in general position, boxes, and the oracle's answers
// for them.
#pragma once

#include <algorithm>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/mesh/mesh.hpp>

#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"
#include "oracle/pose_generators.hpp"

namespace graze::testing {

/// Triangles that sometimes share vertices; on the grid many are degenerate, duplicate or coplanar.
inline Mesh soup(oracle::Random& random, int triangles, bool grid, double size = 0.5) {
  std::vector<Vec3> positions;
  const int vertices = std::max(3, 2 * triangles);
  for (int i = 0; i < vertices; ++i)
    positions.push_back(grid ? oracle::grid_point(random, 2) : oracle::real_point(random));
  std::vector<Triangle> list;
  for (int i = 0; i < triangles; ++i) {
    const auto pick = [&] { return static_cast<std::uint32_t>(oracle::whole(random, 0, vertices - 1)); };
    if (grid) {
      list.push_back({pick(), pick(), pick()});
      continue;
    }
    const auto first = static_cast<std::uint32_t>(positions.size());
    const Vec3 centre = oracle::real_point(random);
    for (int k = 0; k < 3; ++k) positions.push_back(centre + oracle::real_point(random, size));
    list.push_back({first, first + 1, first + 2});
  }
  return Mesh(positions, list);
}

/// A box of six quads.
inline Mesh box(const Vec3& lo, const Vec3& hi) {
  std::vector<Vec3> p;
  for (int i = 0; i < 8; ++i) p.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
  PolygonList f;
  for (const auto& q :
       {std::array<std::uint32_t, 4>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    f.add(q);
  return Mesh(p, f);
}

inline oracle::Triangle placed_triangle(const Mesh& mesh, const Pose& pose, std::size_t t) {
  const Triangle& c = mesh.triangles()[t];
  return oracle::place(pose, {mesh.positions()[c[0]], mesh.positions()[c[1]], mesh.positions()[c[2]]});
}

/// Does an edge of one triangle pass through the other's plane, at a point in the interior of the other's planar
/// polygon? This is larger than the triangle's interior: the polygon's diagonals belong to it.
inline bool crosses_polygon(const oracle::Triangle& s, const Mesh& mesh, const Pose& pose, std::uint32_t t) {
  const PolygonId polygon = mesh.polygon_of(TriangleId{t});
  if (!mesh.is_planar(polygon)) return false;
  const oracle::Triangle face = placed_triangle(mesh, pose, t);
  const std::span<const std::uint32_t> corners = mesh.polygon(polygon);
  for (std::size_t k = 0; k < 3; ++k) {
    const oracle::Point &p = s[k], &q = s[(k + 1) % 3];
    if (oracle::orient3d_sign(face[0], face[1], face[2], p) * oracle::orient3d_sign(face[0], face[1], face[2], q) >= 0)
      continue;
    bool on_edge = false;
    for (std::size_t i = 0; i < corners.size() && !on_edge; ++i)
      on_edge = oracle::segments_meet(p, q, oracle::place(pose, mesh.positions()[corners[i]]),
                                      oracle::place(pose, mesh.positions()[corners[(i + 1) % corners.size()]]));
    if (!on_edge && oracle::segment_meets_triangle(p, q, face)) return true;
  }
  return false;
}

struct Truth {
  std::vector<TrianglePair> pairs;
  bool crossing = false;
};

inline Truth truth(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  Truth t;
  for (std::uint32_t i = 0; i < a.triangle_count(); ++i)
    for (std::uint32_t j = 0; j < b.triangle_count(); ++j) {
      const oracle::TriangleAnswer answer =
          oracle::intersect(placed_triangle(a, pose_a, i), placed_triangle(b, pose_b, j));
      if (answer.contact) t.pairs.push_back({TriangleId{i}, TriangleId{j}});
      t.crossing = t.crossing || answer.crossing ||
                   (answer.contact && (crosses_polygon(placed_triangle(a, pose_a, i), b, pose_b, j) ||
                                       crosses_polygon(placed_triangle(b, pose_b, j), a, pose_a, i)));
    }
  return t;
}

/// The squared distance of two meshes at their poses, in rational numbers.
inline oracle::Rational exact_squared_distance(const Mesh& a, const Pose& pa, const Mesh& b, const Pose& pb) {
  oracle::Rational best = -1;
  for (std::size_t i = 0; i < a.triangle_count(); ++i)
    for (std::size_t j = 0; j < b.triangle_count(); ++j) {
      const oracle::Rational d = oracle::squared_distance(placed_triangle(a, pa, i), placed_triangle(b, pb, j));
      if (best < 0 || d < best) best = d;
    }
  return best;
}

}  // namespace graze::testing
