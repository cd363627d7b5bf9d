// SPDX-License-Identifier: MIT
#include "engine/distance/convex_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "prim/closest/closest.hpp"

namespace graze::engine::distance {

namespace {

using Type = FeatureRef::Type;

std::array<Vec3, 3> corners_of(const Mesh& mesh, std::uint32_t triangle) {
  const Triangle& t = mesh.triangles()[triangle];
  return {mesh.positions()[t[0]], mesh.positions()[t[1]], mesh.positions()[t[2]]};
}

/// A polygon and its squared distance from a point, in double precision.
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

/// The two lowest of the faces that all the corners share. One corner has at least three, an edge two, a face one.
struct CommonFaces {
  int size = 0;
  std::array<std::uint32_t, 2> id{};

  void add(std::uint32_t face) { id[static_cast<std::size_t>(size++)] = face; }
};

std::span<const std::uint32_t> ids(const prim::CornerSet& set) {
  return std::span(set.id).first(static_cast<std::size_t>(set.size));
}

/// Of all faces at the corners, the one nearest to the point.
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
    // The lists are usually short, but a cone's tip has many faces.
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

/// An edge of the solid as an edge of the mesh. If vertices subdivide it, the piece that contains the point.
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

/// One polygon of each body in A's stored frame, and their nearest features: a corner of one over the other, or two
/// edges.
class PolygonPair {
 public:
  PolygonPair(const ConvexPart& a, std::uint32_t pa, const ConvexPart& b, std::uint32_t pb,
              const prim::ConvexFrame& frame, double enough)
      : a_(a.body), b_(b.body), pa_(pa), pb_(pb), frame_(frame), enough_(enough * enough) {}

  Feature nearest(Vec3& on_a, Vec3& on_b) {
    corners_over_face(true);
    if (!done()) corners_over_face(false);
    if (!done()) edges();
    on_a = on_a_;
    on_b = on_b_;
    return best_;
  }

 private:
  const ConvexBodyData& body(bool of_a) const { return of_a ? a_ : b_; }
  std::span<const std::uint32_t> corners(bool of_a) const {
    return body(of_a).mesh.polygon(PolygonId{of_a ? pa_ : pb_});
  }
  Vec3 at(bool of_a, std::uint32_t v) const {
    const Vec3 x = body(of_a).mesh.positions()[v] - body(of_a).points.centre();
    return of_a ? x : frame_.place(x);
  }
  bool done() const { return least_ <= enough_; }
  void offer(const Vec3& on_a, const Vec3& on_b, const Feature& feature) {
    const Vec3 d = on_b - on_a;
    if (!(dot(d, d) < least_)) return;
    least_ = dot(d, d);
    on_a_ = on_a;
    on_b_ = on_b;
    best_ = feature;
  }

  void corners_over_face(bool of_a) {
    const Mesh& other = body(!of_a).mesh;
    const std::uint32_t polygon = of_a ? pb_ : pa_;
    const auto [first, last] = other.triangles_of(PolygonId{polygon});
    for (std::uint32_t t = first; t < last && !done(); ++t) {
      const Triangle& c = other.triangles()[t];
      const std::array<Vec3, 3> triangle{at(!of_a, c[0]), at(!of_a, c[1]), at(!of_a, c[2])};
      for (const std::uint32_t v : corners(of_a)) {
        const Vec3 p = at(of_a, v), foot = prim::closest_point_triangle(p, triangle).point;
        const FeatureRef vertex{Type::vertex, false, {v, v}}, face = face_ref(polygon);
        if (of_a)
          offer(p, foot, {FeatureKind::vertex_face, vertex, face});
        else
          offer(foot, p, {FeatureKind::face_vertex, face, vertex});
      }
    }
  }

  void edges() {
    const auto ca = corners(true), cb = corners(false);
    const auto edge = [](std::uint32_t v, std::uint32_t w) {
      return FeatureRef{Type::edge, false, {std::min(v, w), std::max(v, w)}};
    };
    for (std::size_t i = 0; i < ca.size() && !done(); ++i)
      for (std::size_t j = 0; j < cb.size(); ++j) {
        const std::uint32_t a0 = ca[i], a1 = ca[(i + 1) % ca.size()], b0 = cb[j], b1 = cb[(j + 1) % cb.size()];
        const prim::SegmentPair pair =
            prim::closest_segment_segment(at(true, a0), at(true, a1), at(false, b0), at(false, b1));
        if (pair.s > 0 && pair.s < 1 && pair.t > 0 && pair.t < 1)
          offer(pair.a, pair.b, {FeatureKind::edge_edge, edge(a0, a1), edge(b0, b1)});
      }
  }

  const ConvexBodyData& a_;
  const ConvexBodyData& b_;
  std::uint32_t pa_, pb_;
  const prim::ConvexFrame& frame_;
  double enough_, least_ = std::numeric_limits<double>::infinity();
  Vec3 on_a_, on_b_;
  Feature best_;
};

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
  // The corner with the lowest number, the one furthest from it, and the one furthest from their line.
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
  PolygonPair pair(a, polygon_at(a, fa.id[0]), b, polygon_at(b, fb.id[0]), frame, nearest.distance + frame.slack);
  return pair.nearest(nearest.a, nearest.b);
}

}  // namespace graze::engine::distance
