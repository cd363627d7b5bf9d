// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <graze/body/contact.hpp>
#include <graze/mesh/mesh.hpp>

#include "body/body_data.hpp"
#include "prim/closest/closest.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::body {

/// The input features that contain the two closest points of a triangle pair. A vertex is reported against a face,
/// whichever part of the face contains the other point; otherwise edge against edge. Returns none if a point lies on
/// the diagonal of a planar polygon, that is, inside a face: separated bodies then also attain their distance at a
/// vertex or at two edges, see below.
std::optional<Feature> closest_feature(const Mesh& a, std::uint32_t triangle_a, prim::Part part_a, const Mesh& b,
                                       std::uint32_t triangle_b, prim::Part part_b);

/// The closest points of two separated polygons, attained at a vertex of one or at an edge of each.
struct ClosestFeature {
  std::uint32_t triangle_a, triangle_b;
  prim::ClosestPair closest;
  Feature feature;
};
/// For the polygons that contain triangles ta and tb; `corners_a`, `corners_b` return the placed corners of triangles.
/// Use it when `closest_feature` returns none.
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
      const double d = length(c.b - c.a);  // squares may overflow or underflow
      const auto feature = closest_feature(a.mesh, i, c.part_a, b.mesh, j, c.part_b);
      if (!(d < least) || !feature) continue;
      least = d;
      best = {i, j, c, *feature};
    }
  }
  return best;
}

/// The feature of a mesh that a part of a triangle belongs to, against a curved surface.
FeatureRef feature_of_part(const Mesh& mesh, std::uint32_t triangle, prim::Part part);

/// The features of the parts in which two triangles meet. None for two diagonals of planar polygons: there face meets
/// face, and other pairs of their triangles report the features.
std::optional<Feature> meeting_feature(const Mesh& a, std::uint32_t triangle_a, const Mesh& b, std::uint32_t triangle_b,
                                       const prim::Meeting& meeting);

}  // namespace graze::body
