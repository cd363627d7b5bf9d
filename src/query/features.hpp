// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <graze/mesh/mesh.hpp>
#include <graze/query/contact.hpp>

#include "prim/closest.hpp"
#include "prim/triangle_triangle.hpp"
#include "query/body_data.hpp"

namespace graze::query {

/// The features of the input that hold two closest points of triangles: a vertex is reported against a face, whichever
/// part of the face holds the other point; else edge against edge. None where a point lies on the diagonal of a planar
/// polygon, that is, inside a face: bodies that are apart are nearest in a vertex or in two edges too, see below.
std::optional<Feature> closest_feature(const Mesh& a, std::uint32_t triangle_a, prim::Part part_a, const Mesh& b,
                                       std::uint32_t triangle_b, prim::Part part_b);

/// Where two polygons that are apart are nearest, by a vertex of one or by an edge of each.
struct ClosestFeature {
  std::uint32_t triangle_a, triangle_b;
  prim::ClosestPair closest;
  Feature feature;
};
/// Of the polygons that triangles ta and tb are part of; `corners_a`, `corners_b` give the placed corners of triangles.
/// For when `closest_feature` finds none.
template <class CornersA, class CornersB>
ClosestFeature closest_feature_of_polygons(const BodyData& a, std::uint32_t ta, CornersA&& corners_a, const BodyData& b,
                                           std::uint32_t tb, CornersB&& corners_b) {
  using Corners = std::array<Vec3, 3>;
  ClosestFeature best{ta, tb, {}, {}};
  double least = std::numeric_limits<double>::infinity();
  const auto beyond = [&](const Corners& p, const Corners& q) {
    for (int k = 0; k < 3; ++k)
      if (std::min({p[0][k], p[1][k], p[2][k]}) - std::max({q[0][k], q[1][k], q[2][k]}) > least) return true;
    return false;
  };
  const auto [a0, a1] = a.mesh.triangles_of(a.mesh.polygon_of(TriangleId{ta}));
  const auto [b0, b1] = b.mesh.triangles_of(b.mesh.polygon_of(TriangleId{tb}));
  for (std::uint32_t i = a0; i < a1; ++i) {
    const Corners p = corners_a(i);
    for (std::uint32_t j = b0; j < b1; ++j) {
      const Corners q = corners_b(j);
      if (beyond(p, q) || beyond(q, p)) continue;
      const prim::ClosestPair c = prim::closest_vertex_or_edges(p, q, a.inner_edges(i), b.inner_edges(j));
      const double d = length(c.b - c.a);  // squares may be out of range
      const auto feature = closest_feature(a.mesh, i, c.part_a, b.mesh, j, c.part_b);
      if (!(d < least) || !feature) continue;
      least = d;
      best = {i, j, c, *feature};
    }
  }
  return best;
}

/// The features of two triangles' parts that meet. None for two diagonals of planar polygons: faces meet there, and
/// other pairs of their triangles have the features.
std::optional<Feature> meeting_feature(const Mesh& a, std::uint32_t triangle_a, const Mesh& b, std::uint32_t triangle_b,
                                       const prim::Meeting& meeting);

}  // namespace graze::query
