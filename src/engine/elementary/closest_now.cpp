// SPDX-License-Identifier: MIT
#include "engine/elementary/closest_now.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"
#include "prim/closest/closest.hpp"

namespace graze::engine::elementary {
namespace {

/// The weights of a point of a triangle, from the part that contains it: the others are exactly 0.
std::array<double, 3> weights_of(const std::array<Vec3, 3>& t, const prim::TrianglePoint& p) {
  std::array<double, 3> w{};
  if (prim::is_vertex(p.part)) {
    w[static_cast<std::size_t>(prim::corner_of(p.part))] = 1;
    return w;
  }
  if (prim::is_edge(p.part)) {
    const auto k = static_cast<std::size_t>(prim::edge_of(p.part)), l = (k + 1) % 3;
    const Vec3 edge = t[l] - t[k];
    w[l] = std::clamp(dot(p.point - t[k], edge) / dot(edge, edge), 0.0, 1.0);
    w[k] = 1 - w[l];
    return w;
  }
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double area = dot(n, n);
  w[1] = std::clamp(dot(cross(p.point - t[0], t[2] - t[0]), n) / area, 0.0, 1.0);
  w[2] = std::clamp(dot(cross(t[1] - t[0], p.point - t[0]), n) / area, 0.0, 1 - w[1]);
  w[0] = 1 - w[1] - w[2];
  return w;
}

/// The weights of the point of a face that is closest to p. In the interior of a nearly degenerate face they are mostly
/// rounding error: then an edge has a nearer point.
std::array<double, 3> weights_on_face(const Vec3& p, const std::array<Vec3, 3>& t) {
  const prim::TrianglePoint c = prim::closest_point_triangle(p, t);
  std::array<double, 3> best = weights_of(t, c);
  if (c.part != prim::Part::face) return best;
  const Vec3 inside = p - (t[0] * best[0] + t[1] * best[1] + t[2] * best[2]);
  double least = dot(inside, inside);
  for (std::size_t k = 0; k < 3; ++k) {
    const prim::SegmentPair e = prim::closest_segment_segment(p, p, t[k], t[(k + 1) % 3]);
    const Vec3 d = p - e.b;
    if (!(dot(d, d) < least)) continue;
    least = dot(d, d);
    best = {};
    best[k] = 1 - e.t;
    best[(k + 1) % 3] = e.t;
  }
  return best;
}

/// As edges become parallel, solving for the closest points loses twice as many digits as the angle has leading zeros.
/// With the cross product it loses only as many, and solving again for the residual recovers them.
prim::SegmentPair refined(const prim::SegmentPair& c, const std::array<Vec3, 4>& p) {
  const Vec3 u = p[1] - p[0], v = p[3] - p[2], n = cross(u, v);
  const double det = dot(n, n);
  prim::SegmentPair best = c;
  if (!(det > 0)) return best;
  for (int round = 0; round < 3; ++round) {
    const Vec3 w = best.a - best.b;
    const double s = std::clamp(best.s - dot(cross(w, v), n) / det, 0.0, 1.0);
    const double t = std::clamp(best.t - dot(cross(w, u), n) / det, 0.0, 1.0);
    const prim::SegmentPair next{s, t, p[0] * (1 - s) + p[1] * s, p[2] * (1 - t) + p[3] * t};
    const Vec3 left = next.a - next.b;
    if (!(dot(left, left) < dot(w, w))) break;
    best = next;
  }
  return best;
}

/// The component of n perpendicular to an edge. Applied twice: the first pass leaves an error relative to n, not to the
/// result.
Vec3 across(Vec3 n, const Vec3& edge) {
  const double square = dot(edge, edge);
  if (!(square > 0)) return n;
  for (int round = 0; round < 2; ++round) n = n - edge * (dot(n, edge) / square);
  return n;
}

/// The difference n of two near points has few correct digits, and only a direction perpendicular to the edges and the
/// face that contain them separates the features. `w`: the weights of a triangle's corners.
Vec3 sharp_face_direction(const Vec3& n, const std::array<Vec3, 3>& t, const std::array<double, 3>& w) {
  if (w[0] > 0 && w[1] > 0 && w[2] > 0) return math::facing(cross(t[1] - t[0], t[2] - t[0]), n);
  for (std::size_t k = 0; k < 3; ++k)
    if (w[k] > 0 && w[(k + 1) % 3] > 0) return across(n, t[(k + 1) % 3] - t[k]);
  return n;
}

Vec3 sharp_edge_direction(const Vec3& n, const Vec3& u, double s, const Vec3& v, double t) {
  const bool in_u = s > 0 && s<1, in_v = t> 0 && t < 1;
  const Vec3 normal = cross(u, v);
  if (in_u && in_v && dot(normal, normal) > 0) return math::facing(normal, n);
  if (in_u) return across(n, u);
  return in_v ? across(n, v) : n;
}

}  // namespace

double unit_scale(const ElementaryQuery& query) {
  // Halved, because a difference of two doubles may overflow.
  double largest = 0;
  for (const auto* place : {&query.start, &query.end})
    for (const Vec3& p : *place)
      for (int axis = 0; axis < 3; ++axis)
        for (const auto* other : {&query.start, &query.end})
          largest = std::max(largest, std::fabs(0.5 * p[axis] - 0.5 * (*other)[0][axis]));
  if (!(largest > 0)) return 1;
  int exponent;
  std::frexp(largest, &exponent);  // largest < 2^exponent; a difference of any two points is below 4 times that
  return std::ldexp(1.0, std::clamp(-exponent - 2, -1022, 1023));
}

ElementaryQuery at_scale(const ElementaryQuery& query, double scale) {
  Vec3 origin{};
  for (const auto* place : {&query.start, &query.end})
    for (const Vec3& p : *place)
      for (int axis = 0; axis < 3; ++axis)
        if (!std::isfinite(p[axis] * scale)) origin[axis] = query.start[0][axis];
  ElementaryQuery scaled = query;
  for (auto* place : {&scaled.start, &scaled.end})
    for (Vec3& p : *place) p = (p - origin) * scale;
  return scaled;
}

ClosestNow closest_now(const ElementaryQuery& query, double t) {
  const double scale = unit_scale(query);
  const ElementaryQuery scaled = at_scale(query, scale);
  std::array<Vec3, 4> p;  // relative to the first point's start
  const Vec3 origin = scaled.start[0];
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 from = scaled.start[i] - origin, to = scaled.end[i] - origin;
    p[i] = from * (1 - t) + to * t;
  }
  ClosestNow r{};
  Vec3 difference;
  switch (query.kind) {
    case ElementaryKind::vertex_face: {
      const std::array<Vec3, 3> face{p[1], p[2], p[3]};
      const auto w = weights_on_face(p[0], face);
      difference = p[0] - (face[0] * w[0] + face[1] * w[1] + face[2] * w[2]);
      r.direction = sharp_face_direction(difference, face, w);
      r.weights = {1, w[0], w[1], w[2]};
      break;
    }
    case ElementaryKind::edge_edge: {
      const prim::SegmentPair c = refined(prim::closest_segment_segment(p[0], p[1], p[2], p[3]), p);
      difference = c.a - c.b;
      r.direction = sharp_edge_direction(difference, p[1] - p[0], c.s, p[3] - p[2], c.t);
      r.weights = {1 - c.s, c.s, 1 - c.t, c.t};
      break;
    }
    case ElementaryKind::vertex_edge: {
      const prim::SegmentPair c = prim::closest_segment_segment(p[0], p[0], p[1], p[2]);
      difference = c.a - c.b;
      r.direction = sharp_edge_direction(difference, {}, 0, p[2] - p[1], c.t);
      r.weights = {1, 1 - c.t, c.t, 0};
      break;
    }
    case ElementaryKind::vertex_vertex:
      r.direction = difference = p[0] - p[1];
      r.weights = {1, 1, 0, 0};
      break;
  }
  r.gap = std::sqrt(dot(difference, difference)) / scale;
  return r;
}

}  // namespace graze::engine::elementary
