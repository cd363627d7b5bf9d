// SPDX-License-Identifier: MIT
#include "prim/closest/sharp.hpp"

#include <algorithm>
#include <cmath>

namespace graze::prim {

namespace {

using math::DoubleDouble;
using Point = math::DoubleDoubleVec3;
using SharpTriangle = std::array<Point, 3>;

/// A point on each triangle, and a direction across the parts that hold them, of either sense.
struct SharpLine {
  Point a, b, across;
};

DoubleDouble at_most_one(const DoubleDouble& x) { return x.hi < 0 ? DoubleDouble(0) : x.hi < 1 ? x : DoubleDouble(1); }

Point sharp_edge(const SharpTriangle& t, std::size_t k) { return t[(k + 1) % 3] - t[k]; }
Point along(const Point& from, const Point& u, const DoubleDouble& s) { return from - u * -s; }

/// From a point to an edge. The offset to the foot is off by roundings of the coordinates, which may be large beside
/// it; taking its part along the edge away once more leaves only roundings of its own.
void point_to_edge(const Point& p, const SharpTriangle& t, std::size_t k, Point& foot, Point& across) {
  const Point u = sharp_edge(t, k);
  const DoubleDouble square = dot(u, u);
  foot = along(t[k], u, at_most_one(dot(p - t[k], u) / square));
  const Point offset = foot - p;
  across = along(offset, u, -(dot(offset, u) / square));
}

void point_to_face(const Point& p, const SharpTriangle& t, Point& foot, Point& across) {
  const Point u = t[1] - t[0], v = t[2] - t[0], w = p - t[0];
  across = cross(u, v);
  // With w = x u + y v + h n: (n x w) . v = x n . n and (n x w) . u = -y n . n.
  const Point nw = cross(across, w);
  const DoubleDouble square = dot(across, across), x = at_most_one(dot(nw, v) / square),
                     y = at_most_one(-(dot(nw, u) / square));
  const DoubleDouble rest = DoubleDouble(1) - x;
  foot = along(along(t[0], u, x), v, rest < y ? rest : y);
}

void edge_to_edge(const SharpTriangle& a, std::size_t i, const SharpTriangle& b, std::size_t j, const ClosestPair& c,
                  SharpLine& l) {
  const Point u = sharp_edge(a, i), v = sharp_edge(b, j), n = cross(u, v);
  const DoubleDouble square = dot(n, n), uu = dot(u, u);
  if (square.hi < 0x1p-40 * uu.hi * dot(v, v).hi) {  // nearly parallel: from the point that doubles found
    l.a = along(a[i], u, at_most_one(dot(Point(c.a) - a[i], u) / uu));
    return point_to_edge(l.a, b, j, l.b, l.across);
  }
  // w + s u - t v is a multiple of n: multiplied by v and by u, (w x v) . n + s n . n = 0 and (w x u) . n + t n . n =
  // 0.
  const Point w = a[i] - b[j];
  l.a = along(a[i], u, at_most_one(-(dot(cross(w, v), n) / square)));
  l.b = along(b[j], v, at_most_one(-(dot(cross(w, u), n) / square)));
  l.across = n;
}

std::size_t sharp_corner(Part p) { return static_cast<std::size_t>(corner_of(p)); }
std::size_t sharp_edge_of(Part p) { return static_cast<std::size_t>(edge_of(p)); }

bool line_of_parts(const SharpCorners& s, const ClosestPair& c, SharpLine& l) {
  const Part pa = c.part_a, pb = c.part_b;
  if (is_vertex(pa)) l.a = s.a[sharp_corner(pa)];
  if (is_vertex(pb)) l.b = s.b[sharp_corner(pb)];
  if (is_vertex(pa) && is_vertex(pb))
    l.across = l.b - l.a;
  else if (is_vertex(pa) && is_edge(pb))
    point_to_edge(l.a, s.b, sharp_edge_of(pb), l.b, l.across);
  else if (is_edge(pa) && is_vertex(pb))
    point_to_edge(l.b, s.a, sharp_edge_of(pa), l.a, l.across);
  else if (is_vertex(pa))
    point_to_face(l.a, s.b, l.b, l.across);
  else if (is_vertex(pb))
    point_to_face(l.b, s.a, l.a, l.across);
  else if (is_edge(pa) && is_edge(pb))
    edge_to_edge(s.a, sharp_edge_of(pa), s.b, sharp_edge_of(pb), c, l);
  else
    return false;
  return true;
}

double norm1(const Point& n) { return std::fabs(n.x.hi) + std::fabs(n.y.hi) + std::fabs(n.z.hi); }

}  // namespace

double sharp_gap(const SharpDirection& d, const DoubleDouble& highest_a, const DoubleDouble& lowest_b, double error,
                 double size) {
  // A product n . x of three terms: below 8 * 2^-102 |n|_1 size; two of them, and their difference: 2^-97. The corners'
  // own errors: `error` |n|_1 on either side. The factors cover the roundings of this line itself, the lower half of
  // the difference and that of the length.
  const DoubleDouble gap = lowest_b - highest_a;
  const double slack = norm1(d.n) * (2 * error + 0x1p-97 * size) * (1 + 0x1p-50);
  const double apart = gap.hi * (1 - 0x1p-50) - slack;
  return apart > 0 ? apart / d.length * (1 - 0x1p-51) : 0;
}

std::optional<SharpBracket> sharp_bracket(const SharpCorners& s, const ClosestPair& parts) {
  SharpLine l;
  if (!line_of_parts(s, parts, l)) return std::nullopt;
  const Point offset = l.b - l.a;
  if (dot(offset, l.across).hi < 0) l.across = -l.across;
  const double square = dot(l.across, l.across).hi, far = dot(offset, offset).hi;
  // Squares that vanish, or NaN of a degenerate triangle: nothing is proved.
  if (!(square > 0x1p-900 && square < 0x1p900 && far > 0x1p-900 && far < 0x1p900)) return std::nullopt;
  SharpBracket out;
  out.direction = {l.across, std::sqrt(square) * (1 + 0x1p-51)};
  DoubleDouble highest = dot(l.across, s.a[0]), lowest = dot(l.across, s.b[0]);
  for (std::size_t k = 1; k < 3; ++k) {
    const DoubleDouble x = dot(l.across, s.a[k]), y = dot(l.across, s.b[k]);
    if (highest < x) highest = x;
    if (y < lowest) lowest = y;
  }
  out.lower = sharp_gap(out.direction, highest, lowest, s.error, s.size);
  // The points are convex combinations of corners, each coordinate with fewer than 16 roundings of numbers below
  // 4 size; corners are off by `error` a coordinate, and sqrt(3) < 2.
  out.rounded = std::sqrt(far);
  out.upper = out.rounded * (1 + 0x1p-51) + 4 * (s.error + 0x1p-95 * s.size);
  if (!std::isfinite(out.upper)) return std::nullopt;
  return out;
}

}  // namespace graze::prim
