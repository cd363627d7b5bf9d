// SPDX-License-Identifier: MIT
// Feature pairs and their distances, written for the tests of all contacts alone: they share nothing with the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/motion/motion.hpp>

namespace all_contacts_test {

using namespace graze;

inline double to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 u = b - a;
  const double s = std::clamp(dot(p - a, u) / dot(u, u), 0.0, 1.0);
  return length(p - (a + u * s));
}

inline double to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = cross(b - a, c - a);
  const auto inside = [&](const Vec3& x, const Vec3& y) { return dot(cross(y - x, p - x), n) >= 0; };
  if (inside(a, b) && inside(b, c) && inside(c, a)) return std::fabs(dot(p - a, n)) / length(n);
  return std::min({to_segment(p, a, b), to_segment(p, b, c), to_segment(p, c, a)});
}

inline double between_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  double best = std::min({to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)});
  const Vec3 u = b - a, v = d - c, n = cross(u, v);
  if (dot(n, n) > 0) {  // the lines' common perpendicular, if it meets both segments
    const double s = dot(cross(c - a, v), n) / dot(n, n), t = dot(cross(c - a, u), n) / dot(n, n);
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, std::fabs(dot(c - a, n)) / length(n));
  }
  return best;
}

struct Pieces {
  std::vector<FeatureRef> vertices, edges, faces;
};

inline Pieces pieces_of(const Mesh& mesh) {
  std::set<FeatureRef> vertices, edges, faces;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle& c = mesh.triangles()[t];
    const PolygonId polygon = mesh.polygon_of(TriangleId{t});
    faces.insert({FeatureRef::Type::face, false, {index(polygon), index(polygon)}});
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = c[static_cast<std::size_t>(k)], w = c[static_cast<std::size_t>((k + 1) % 3)];
      vertices.insert({FeatureRef::Type::vertex, false, {v, v}});
      const bool diagonal = mesh.is_diagonal(TriangleId{t}, k);
      if (!diagonal || !mesh.is_planar(polygon))
        edges.insert({FeatureRef::Type::edge, diagonal, {std::min(v, w), std::max(v, w)}});
    }
  }
  return {{vertices.begin(), vertices.end()}, {edges.begin(), edges.end()}, {faces.begin(), faces.end()}};
}

inline std::vector<Vec3> placed(const Mesh& mesh, const Motion& motion, double t) {
  const Placement p = motion.at(t);
  std::vector<Vec3> x;
  for (const Vec3& v : mesh.positions()) x.push_back(p.apply(v));
  return x;
}

inline double to_face(const Mesh& mesh, const std::vector<Vec3>& at, std::uint32_t polygon, const Vec3& p) {
  double best = INFINITY;
  const auto [first, last] = mesh.triangles_of(PolygonId{polygon});
  for (std::uint32_t t = first; t < last; ++t) {
    const Triangle& c = mesh.triangles()[t];
    best = std::min(best, to_triangle(p, at[c[0]], at[c[1]], at[c[2]]));
  }
  return best;
}

struct Scene {
  Body a;
  Motion ma;
  Body b;
  Motion mb;

  double distance(const Feature& f, double t) const {
    return distance(f, placed(a.mesh(), ma, t), placed(b.mesh(), mb, t));
  }
  double distance(const Feature& f, const std::vector<Vec3>& x, const std::vector<Vec3>& y) const {
    if (f.kind == FeatureKind::vertex_face) return to_face(b.mesh(), y, f.b.id[0], x[f.a.id[0]]);
    if (f.kind == FeatureKind::face_vertex) return to_face(a.mesh(), x, f.a.id[0], y[f.b.id[0]]);
    return between_segments(x[f.a.id[0]], x[f.a.id[1]], y[f.b.id[0]], y[f.b.id[1]]);
  }
  std::vector<Feature> features() const {
    const Pieces p = pieces_of(a.mesh()), q = pieces_of(b.mesh());
    std::vector<Feature> all;
    const auto add = [&](FeatureKind kind, const std::vector<FeatureRef>& x, const std::vector<FeatureRef>& y) {
      for (const FeatureRef& i : x)
        for (const FeatureRef& j : y) all.push_back({kind, i, j});
    };
    add(FeatureKind::vertex_face, p.vertices, q.faces);
    add(FeatureKind::face_vertex, p.faces, q.vertices);
    add(FeatureKind::edge_edge, p.edges, q.edges);
    return all;
  }
};

}  // namespace all_contacts_test
