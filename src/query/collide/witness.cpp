// SPDX-License-Identifier: MIT
#include <algorithm>

#include "prim/triangle_triangle.hpp"
#include "query/collide/method.hpp"
#include "query/collide/touching_normal.hpp"

namespace graze::query {

namespace {

using prim::Part;

/// A part of a triangle as a feature of its mesh. The diagonal of a planar polygon is no feature: it is part of the
/// face.
FeatureRef feature_of(const Mesh& mesh, std::uint32_t triangle, Part part) {
  const TriangleId id{triangle};
  const Triangle& corners = mesh.triangles()[triangle];
  const std::uint32_t polygon = index(mesh.polygon_of(id));
  if (prim::is_vertex(part)) {
    const std::uint32_t v = corners[static_cast<std::size_t>(prim::corner_of(part))];
    return {FeatureRef::Type::vertex, false, {v, v}};
  }
  if (prim::is_edge(part)) {
    const int k = prim::edge_of(part);
    const bool diagonal = mesh.is_diagonal(id, k);
    if (!diagonal || !mesh.is_planar(PolygonId{polygon})) {
      const auto [lo, hi] =
          std::minmax(corners[static_cast<std::size_t>(k)], corners[static_cast<std::size_t>((k + 1) % 3)]);
      return {FeatureRef::Type::edge, diagonal, {lo, hi}};
    }
  }
  return {FeatureRef::Type::face, false, {polygon, polygon}};
}

std::optional<FeatureKind> kind_of(const FeatureRef& a, const FeatureRef& b) {
  using T = FeatureRef::Type;
  if (a.type == T::vertex && b.type == T::face) return FeatureKind::vertex_face;
  if (a.type == T::face && b.type == T::vertex) return FeatureKind::face_vertex;
  if (a.type == T::edge && b.type == T::edge) return FeatureKind::edge_edge;
  if (a.type == T::edge && b.type == T::face) return FeatureKind::edge_face;
  if (a.type == T::face && b.type == T::edge) return FeatureKind::face_edge;
  return std::nullopt;  // two diagonals of planar polygons: faces meet, and other pairs of their triangles have the
                        // features
}

Vec3 turned(const Pose& pose, const Vec3& v) { return Pose({0, 0, 0}, pose.rotation()).apply(v); }

class Witness {
 public:
  Witness(const CollideQuery& q, CollideResult& r) : q_(q), result_(r), points_(q.placement, r.counters) {}

  void features_of(std::uint32_t ta, std::uint32_t tb) {
    load_pair(points_, q_, ta, tb);
    prim::triangle_triangle(points_, meetings_, q_.a.inner_edges(ta), q_.b.inner_edges(tb));
    for (int i = 0; i < meetings_.count; ++i) {
      const FeatureRef a = feature_of(q_.a.mesh, ta, meetings_.meetings[i].a),
                       b = feature_of(q_.b.mesh, tb, meetings_.meetings[i].b);
      if (const std::optional<FeatureKind> kind = kind_of(a, b)) result_.features.push_back({*kind, a, b});
    }
  }

  /// The witness pair's own: a common point, and the normal if they touch.
  void point_and_normal(std::uint32_t ta, std::uint32_t tb) {
    load_pair(points_, q_, ta, tb);
    prim::triangle_triangle(points_, meetings_, q_.a.inner_edges(ta), q_.b.inner_edges(tb));
    const std::array<Vec3, 2> segment = meetings_.segment();
    const Vec3 point = q_.pose_a.apply(segment[0] * 0.5 + segment[1] * 0.5);
    result_.points = {point, point};
    if (meetings_.contact == prim::TriangleContact::crossing) return;
    const Vec3 n = touching_normal(q_, ta, tb, meetings_, result_.counters);
    const double len = length(n);
    if (len > 0 && std::isfinite(len)) {
      const Vec3 world = turned(q_.pose_a, n * (1 / len));
      result_.normal = world * (1 / length(world));
    }
  }

 private:
  const CollideQuery& q_;
  CollideResult& result_;
  math::PlacedPoints points_;
  prim::TriangleMeetings meetings_;
};

}  // namespace

void add_witness(const CollideQuery& q, CollideResult& result) {
  if (result.pairs.empty()) return;
  Witness witness(q, result);
  const Counters before = result.counters;
  const TrianglePair first = result.pairs.front();
  witness.point_and_normal(index(first.a), index(first.b));
  if (q.options.all_features) {
    for (const TrianglePair& pair : result.pairs) witness.features_of(index(pair.a), index(pair.b));
  } else {
    const auto [a0, a1] = q.a.mesh.triangles_of(q.a.mesh.polygon_of(first.a));
    const auto [b0, b1] = q.b.mesh.triangles_of(q.b.mesh.polygon_of(first.b));
    for (std::uint32_t ta = a0; ta < a1; ++ta)
      for (std::uint32_t tb = b0; tb < b1; ++tb) witness.features_of(ta, tb);
  }
  result.counters = before;  // counters tell what the search cost, not what describing its find did
  std::sort(result.features.begin(), result.features.end());
  result.features.erase(std::unique(result.features.begin(), result.features.end()), result.features.end());
  if (result.kind == ContactKind::crossing) result.normal.reset();
}

}  // namespace graze::query
