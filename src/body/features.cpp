// SPDX-License-Identifier: MIT
#include "body/features.hpp"

#include <algorithm>

namespace graze::body {

namespace {

/// A vertex, edge or face of a triangle as a feature of its mesh. The diagonal of a planar polygon is not a feature: it
/// is part of the face.
FeatureRef reference(const Mesh& mesh, std::uint32_t triangle, prim::Part part, bool as_face) {
  const Triangle& c = mesh.triangles()[triangle];
  const TriangleId id{triangle};
  const std::uint32_t polygon = index(mesh.polygon_of(id));
  if (prim::is_vertex(part) && !as_face) {
    const std::uint32_t v = c[static_cast<std::size_t>(prim::corner_of(part))];
    return {FeatureRef::Type::vertex, false, {v, v}};
  }
  if (prim::is_edge(part) && !as_face) {
    const int k = prim::edge_of(part);
    const bool diagonal = mesh.is_diagonal(id, k);
    if (!diagonal || !mesh.is_planar(PolygonId{polygon})) {
      const auto [lo, hi] = std::minmax(c[static_cast<std::size_t>(k)], c[static_cast<std::size_t>((k + 1) % 3)]);
      return {FeatureRef::Type::edge, diagonal, {lo, hi}};
    }
  }
  return {FeatureRef::Type::face, false, {polygon, polygon}};
}

}  // namespace

std::optional<Feature> closest_feature(const Mesh& a, std::uint32_t triangle_a, prim::Part part_a, const Mesh& b,
                                       std::uint32_t triangle_b, prim::Part part_b) {
  using T = FeatureRef::Type;
  const bool vertex_a = prim::is_vertex(part_a), vertex_b = !vertex_a && prim::is_vertex(part_b);
  const FeatureRef ra = reference(a, triangle_a, part_a, vertex_b), rb = reference(b, triangle_b, part_b, vertex_a);
  if (ra.type == T::vertex) return Feature{FeatureKind::vertex_face, ra, rb};
  if (rb.type == T::vertex) return Feature{FeatureKind::face_vertex, ra, rb};
  if (ra.type == T::edge && rb.type == T::edge) return Feature{FeatureKind::edge_edge, ra, rb};
  return std::nullopt;
}

FeatureRef feature_of_part(const Mesh& mesh, std::uint32_t triangle, prim::Part part) {
  return reference(mesh, triangle, part, false);
}

std::optional<Feature> meeting_feature(const Mesh& a, std::uint32_t triangle_a, const Mesh& b, std::uint32_t triangle_b,
                                       const prim::Meeting& meeting) {
  using T = FeatureRef::Type;
  const FeatureRef ra = reference(a, triangle_a, meeting.a, false), rb = reference(b, triangle_b, meeting.b, false);
  if (ra.type == T::vertex && rb.type == T::face) return Feature{FeatureKind::vertex_face, ra, rb};
  if (ra.type == T::face && rb.type == T::vertex) return Feature{FeatureKind::face_vertex, ra, rb};
  if (ra.type == T::edge && rb.type == T::edge) return Feature{FeatureKind::edge_edge, ra, rb};
  if (ra.type == T::edge && rb.type == T::face) return Feature{FeatureKind::edge_face, ra, rb};
  if (ra.type == T::face && rb.type == T::edge) return Feature{FeatureKind::face_edge, ra, rb};
  return std::nullopt;
}

}  // namespace graze::body
