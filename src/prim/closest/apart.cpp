// SPDX-License-Identifier: MIT
#include "prim/closest/apart.hpp"

#include <algorithm>
#include <cmath>

namespace graze::prim {

namespace {

/// If all of `points` lie on one side of the face, and the nearest of them projects into its interior, no other pair of
/// features is nearer. Returns the index of that point, or 3; its foot is computed as a convex combination of the
/// corners.
std::size_t vertex_over_face(const std::array<Vec3, 3>& face, const std::array<Vec3, 3>& points, Vec3& foot) {
  const Vec3 u = face[1] - face[0], v = face[2] - face[0], n = cross(u, v);
  const double first = dot(n, points[0] - face[0]), side = first > 0 ? 1 : -1;
  const std::array<double, 3> height{first * side, dot(n, points[1] - face[0]) * side,
                                     dot(n, points[2] - face[0]) * side};
  if (!(height[0] > 0 && height[1] > 0 && height[2] > 0)) return 3;
  std::size_t nearest = height[1] < height[0] ? 1 : 0;
  if (height[2] < height[nearest]) nearest = 2;
  const Vec3 p = points[nearest] - face[0], np = cross(n, p);
  // With p = x u + y v + h n: (n x p) . v = x n . (u x v) and (n x p) . u = -y n . (u x v).
  const double square = dot(n, n), x = dot(np, v) / square, y = -dot(np, u) / square;
  if (!(x > 0 && y > 0 && x + y < 1)) return 3;
  foot = face[0] + u * x + v * y;
  return nearest;
}

struct ApartEdge {
  Vec3 from, vector;
  double square;
  ApartEdge(const Vec3& p, const Vec3& q) : from(p), vector(q - p), square(dot(vector, vector)) {}
  Vec3 at(double s) const { return from + vector * s; }
};

/// Parameters of the closest points of two edges, as `closest_segment_segment` finds them.
std::array<double, 2> closest_parameters(const ApartEdge& p, const ApartEdge& q) {
  const Vec3 w = p.from - q.from;
  const double a = p.square, b = dot(p.vector, q.vector), c = q.square, d = dot(p.vector, w), e = dot(q.vector, w);
  const double det = a * c - b * b;
  double s = det > 0 ? std::clamp((b * e - c * d) / det, 0.0, 1.0) : 0;
  double t = (b * s + e) / c;
  if (!(t >= 0 && t <= 1)) {
    t = t > 1 ? 1 : 0;
    s = std::clamp((b * t - d) / a, 0.0, 1.0);
  }
  return {s, t};
}

double size_of(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  double size = 0;
  for (const Vec3& d : {a[1] - a[0], a[2] - a[0], b[0] - a[0], b[1] - b[0], b[2] - b[0]})
    size += std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z);
  return size;
}

/// The same problem, scaled exactly to a size of about 1.
ClosestPair closest_scaled(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double size) {
  int exponent;
  std::frexp(size, &exponent);
  const auto scaled = [](const Vec3& x, int by) {
    return Vec3{std::ldexp(x.x, by), std::ldexp(x.y, by), std::ldexp(x.z, by)};
  };
  std::array<Vec3, 3> p, q;
  for (std::size_t k = 0; k < 3; ++k) {
    p[k] = scaled(a[k], -exponent);
    q[k] = scaled(b[k], -exponent);
  }
  ClosestPair c = closest_apart(p, q);
  c.a = scaled(c.a, exponent);
  c.b = scaled(c.b, exponent);
  c.squared = std::ldexp(c.squared, 2 * exponent);
  return c;
}

}  // namespace

ClosestPair closest_apart(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  const auto pair = [](const Vec3& x, const Vec3& y, Part px, Part py) {
    const Vec3 d = y - x;
    return ClosestPair{x, y, px, py, dot(d, d)};
  };
  // Fourth powers of lengths are computed: outside this range of sizes they would overflow or underflow.
  const double size = size_of(a, b);
  if (size > 0 && (size < 0x1p-200 || size > 0x1p200) && std::isfinite(size)) return closest_scaled(a, b, size);
  Vec3 foot;
  if (const std::size_t k = vertex_over_face(a, b, foot); k < 3) return pair(foot, b[k], Part::face, vertex_part(k));
  if (const std::size_t k = vertex_over_face(b, a, foot); k < 3) return pair(a[k], foot, vertex_part(k), Part::face);
  const std::array<ApartEdge, 3> edges_a{ApartEdge(a[0], a[1]), ApartEdge(a[1], a[2]), ApartEdge(a[2], a[0])},
      edges_b{ApartEdge(b[0], b[1]), ApartEdge(b[1], b[2]), ApartEdge(b[2], b[0])};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const auto [s, t] = closest_parameters(edges_a[i], edges_b[j]);
      // The planes through the two points perpendicular to `offset` have the edges behind them. Are the third corners
      // behind them as well? False for NaN.
      const Vec3 x = edges_a[i].at(s), y = edges_b[j].at(t), offset = y - x;
      if (dot(offset, a[(i + 2) % 3] - x) <= 0 && dot(offset, b[(j + 2) % 3] - y) >= 0 && dot(offset, offset) > 0)
        return pair(x, y, part_at(i, s), part_at(j, t));
    }
  return closest_triangle_triangle(a, b);
}

}  // namespace graze::prim
