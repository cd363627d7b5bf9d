// SPDX-License-Identifier: MIT
#include "query/distance/convex_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "prim/closest.hpp"

namespace graze::query {

namespace {

using Type = FeatureRef::Type;

std::array<Vec3, 3> corners_of(const Mesh& mesh, std::uint32_t triangle) {
  const Triangle& t = mesh.triangles()[triangle];
  return {mesh.positions()[t[0]], mesh.positions()[t[1]], mesh.positions()[t[2]]};
}

/// A polygon and the square of its distance from a point, as far as doubles can tell.
struct NearPolygon {
  std::uint32_t polygon = 0;
  double squared = std::numeric_limits<double>::infinity();
};

/// The polygon of a face that is nearest to the point; the lowest of several.
NearPolygon nearest_polygon(const ConvexPart& part, std::uint32_t face) {
  NearPolygon best;
  for (const std::uint32_t polygon : part.body.shape.polygons_of_face[face]) {
    const auto [first, last] = part.body.mesh.triangles_of(PolygonId{polygon});
    for (std::uint32_t t = first; t < last; ++t) {
      const Vec3 d = prim::closest_point_triangle(part.point, corners_of(part.body.mesh, t)).point - part.point;
      if (dot(d, d) < best.squared) best = {polygon, dot(d, d)};
    }
  }
  return best;
}

std::uint32_t polygon_at(const ConvexPart& part, std::uint32_t face) {
  const auto polygons = part.body.shape.polygons_of_face[face];
  return polygons.size() == 1 ? polygons.front() : nearest_polygon(part, face).polygon;
}

/// The faces that all the corners share, the two lowest. One corner has three at least, an edge two, a face one.
struct CommonFaces {
  int size = 0;
  std::array<std::uint32_t, 2> id{};

  void add(std::uint32_t face) { id[static_cast<std::size_t>(size++)] = face; }
};

std::span<const std::uint32_t> ids(const prim::CornerSet& set) {
  return std::span(set.id).first(static_cast<std::size_t>(set.size));
}

/// Of all faces at the corners the one nearest to the point.
std::uint32_t nearest_face(const ConvexPart& part) {
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t corner : ids(part.corners))
    for (const std::uint32_t face : part.body.shape.faces_of_corner[corner]) {
      const double d = nearest_polygon(part, face).squared;
      if (d < least || (d == least && face < best)) {
        least = d;
        best = face;
      }
    }
  return best;
}

CommonFaces common_faces(const ConvexPart& part) {
  CommonFaces out;
  const Lists& faces = part.body.shape.faces_of_corner;
  const auto has = [&](std::uint32_t corner, std::uint32_t face) {
    const auto list = faces[corner];
    // Lists are short, but a cone's tip has many faces.
    return list.size() > 16 ? std::binary_search(list.begin(), list.end(), face)
                            : std::find(list.begin(), list.end(), face) != list.end();
  };
  const auto set = ids(part.corners);
  const std::uint32_t fewest = *std::min_element(
      set.begin(), set.end(), [&](std::uint32_t x, std::uint32_t y) { return faces[x].size() < faces[y].size(); });
  for (const std::uint32_t face : faces[fewest]) {
    if (!std::all_of(set.begin(), set.end(), [&](std::uint32_t v) { return v == fewest || has(v, face); })) continue;
    out.add(face);
    if (out.size == 2) break;
  }
  if (out.size == 0 && part.on_surface) out.add(nearest_face(part));
  return out;
}

FeatureRef face_ref(std::uint32_t polygon) { return {Type::face, false, {polygon, polygon}}; }

/// An edge of the solid as one of the mesh. Where vertices divide it, the piece that holds the point.
FeatureRef edge_ref(const ConvexPart& part, std::uint32_t face) {
  const ConvexShape& shape = part.body.shape;
  if (shape.plain) {
    const auto [lo, hi] = std::minmax(shape.corners[part.corners.id[0]], shape.corners[part.corners.id[1]]);
    return {Type::edge, false, {lo, hi}};
  }
  FeatureRef best{Type::edge, false, {}};
  double least = std::numeric_limits<double>::infinity();
  const auto positions = part.body.mesh.positions();
  const auto polygon = part.body.mesh.polygon(PolygonId{polygon_at(part, face)});
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto [lo, hi] = std::minmax(polygon[i], polygon[(i + 1) % polygon.size()]);
    const Vec3 d = prim::closest_segment_segment(part.point, part.point, positions[lo], positions[hi]).b - part.point;
    if (dot(d, d) >= least || positions[lo] == positions[hi]) continue;
    least = dot(d, d);
    best.id = {lo, hi};
  }
  return best;
}

std::optional<FeatureRef> reference(const ConvexPart& part, bool as_face) {
  if (part.corners.size == 1 && !as_face) {
    const std::uint32_t v = part.body.shape.corners[part.corners.id[0]];
    return FeatureRef{Type::vertex, false, {v, v}};
  }
  const CommonFaces faces = common_faces(part);
  if (faces.size == 0) return std::nullopt;
  if (part.corners.size == 2 && faces.size == 2 && !as_face) return edge_ref(part, faces.id[0]);
  return face_ref(polygon_at(part, faces.id[0]));
}

std::optional<FeatureKind> kind_of(Type a, Type b) {
  if (a == Type::vertex) return FeatureKind::vertex_face;
  if (b == Type::vertex) return FeatureKind::face_vertex;
  if (a == Type::edge && b == Type::edge) return FeatureKind::edge_edge;
  if (a == Type::edge) return FeatureKind::edge_face;
  if (b == Type::edge) return FeatureKind::face_edge;
  return std::nullopt;
}

/// A part of a triangle; the diagonal of a polygon, planar as all are here, is no edge.
FeatureRef triangle_part(const Mesh& mesh, std::uint32_t triangle, prim::Part part, bool as_face) {
  const Triangle& c = mesh.triangles()[triangle];
  if (prim::is_vertex(part) && !as_face) {
    const std::uint32_t v = c[static_cast<std::size_t>(prim::corner_of(part))];
    return {Type::vertex, false, {v, v}};
  }
  if (prim::is_edge(part) && !as_face && !mesh.is_diagonal(TriangleId{triangle}, prim::edge_of(part))) {
    const auto k = static_cast<std::size_t>(prim::edge_of(part));
    const auto [lo, hi] = std::minmax(c[k], c[(k + 1) % 3]);
    return {Type::edge, false, {lo, hi}};
  }
  return face_ref(index(mesh.polygon_of(TriangleId{triangle})));
}

}  // namespace

std::optional<Feature> feature_of(const ConvexPart& a, const ConvexPart& b) {
  const bool vertex_a = a.corners.size == 1, vertex_b = !vertex_a && b.corners.size == 1;
  const std::optional<FeatureRef> fa = reference(a, vertex_b), fb = reference(b, vertex_a);
  if (!fa || !fb) return std::nullopt;
  const std::optional<FeatureKind> kind = kind_of(fa->type, fb->type);
  if (!kind) return std::nullopt;
  return Feature{*kind, *fa, *fb};
}

void use_fixed_plane(const ConvexPart& a, const ConvexPart& b, const prim::ConvexFrame& frame,
                     prim::ConvexNearest& nearest) {
  const bool of_a = a.corners.size >= 3 && b.corners.size == 1;
  if (!of_a && !(b.corners.size >= 3 && a.corners.size == 1)) return;
  const ConvexPart& part = of_a ? a : b;
  const CommonFaces faces = common_faces(part);
  if (faces.size == 0) return;
  const auto corners = part.body.shape.corners_of_face[faces.id[0]];
  const auto at = [&](std::size_t i) {
    const Vec3 x = part.body.points[corners[i]];
    return of_a ? x : frame.place(x);
  };
  // The lowest, the one furthest from it, and the one furthest from their line.
  const Vec3 origin = at(0);
  Vec3 side, normal;
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (const Vec3 d = at(i) - origin; dot(d, d) > dot(side, side)) side = d;
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (const Vec3 n = cross(side, at(i) - origin); dot(n, n) > dot(normal, normal)) normal = n;
  const Vec3& corner = of_a ? nearest.b : nearest.a;
  const double nn = dot(normal, normal), height = dot(normal, corner - origin) / std::sqrt(nn);
  const double distance = std::fabs(height);
  if (!(std::fabs(distance - nearest.distance) <= frame.slack)) return;
  nearest.distance = distance;
  nearest.direction = (height > 0) == of_a ? normal : -normal;
  (of_a ? nearest.a : nearest.b) = corner - normal * (height / std::sqrt(nn));
}

std::optional<Feature> feature_of_faces(const ConvexPart& a, const ConvexPart& b, const prim::ConvexFrame& frame,
                                        prim::ConvexNearest& nearest) {
  const CommonFaces fa = common_faces(a), fb = common_faces(b);
  if (fa.size == 0 || fb.size == 0) return std::nullopt;
  const auto [a0, a1] = a.body.mesh.triangles_of(PolygonId{polygon_at(a, fa.id[0])});
  const auto [b0, b1] = b.body.mesh.triangles_of(PolygonId{polygon_at(b, fb.id[0])});
  std::optional<Feature> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t ta = a0; ta < a1; ++ta)
    for (std::uint32_t tb = b0; tb < b1; ++tb) {
      std::array<Vec3, 3> ca = corners_of(a.body.mesh, ta), cb = corners_of(b.body.mesh, tb);
      for (Vec3& x : ca) x = x - a.body.points.centre();
      for (Vec3& x : cb) x = frame.place(x - b.body.points.centre());
      const prim::ClosestPair pair = prim::closest_triangle_triangle(ca, cb);
      const bool vertex_a = prim::is_vertex(pair.part_a), vertex_b = !vertex_a && prim::is_vertex(pair.part_b);
      const FeatureRef ra = triangle_part(a.body.mesh, ta, pair.part_a, vertex_b);
      const FeatureRef rb = triangle_part(b.body.mesh, tb, pair.part_b, vertex_a);
      const std::optional<FeatureKind> kind = kind_of(ra.type, rb.type);
      if (!kind || !(pair.squared < least)) continue;
      least = pair.squared;
      best = Feature{*kind, ra, rb};
      nearest.a = pair.a;
      nearest.b = pair.b;
    }
  return best;
}

}  // namespace graze::query
