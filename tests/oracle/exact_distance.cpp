// SPDX-License-Identifier: MIT
#include <algorithm>

#include "oracle/exact_oracle.hpp"

namespace graze::oracle {
namespace {

void keep_smaller(Rational& least, const Rational& candidate) {
  if (candidate < least) least = candidate;
}

std::array<Point, 2> edge(const Triangle& t, std::size_t i) { return {t[i], t[(i + 1) % 3]}; }

}  // namespace

Rational squared_distance(const Point& p, const Point& q) { return dot(p - q, p - q); }

Rational squared_distance(const Point& p, const std::array<Point, 2>& segment) {
  const Point d = segment[1] - segment[0];
  const Rational length_squared = dot(d, d);
  if (length_squared.is_zero()) return squared_distance(p, segment[0]);
  Rational s = dot(p - segment[0], d) / length_squared;
  if (s < 0) s = 0;
  if (s > 1) s = 1;
  return squared_distance(p, segment[0] + s * d);
}

/// The squared distance is a convex function of the two parameters: its least value on the unit square is at
/// the stationary point, if there is a single one and it is inside, or else on the square's boundary.
/// (Parallel segments have a line of stationary points, which reaches the boundary if it meets the square.)
Rational squared_distance(const std::array<Point, 2>& segment, const std::array<Point, 2>& other) {
  Rational least = squared_distance(segment[0], other);
  keep_smaller(least, squared_distance(segment[1], other));
  keep_smaller(least, squared_distance(other[0], segment));
  keep_smaller(least, squared_distance(other[1], segment));
  const Point d = segment[1] - segment[0], e = other[1] - other[0], r = other[0] - segment[0];
  const Rational dd = dot(d, d), de = dot(d, e), ee = dot(e, e), determinant = dd * ee - de * de;
  if (determinant.is_zero()) return least;
  // (segment[0] + s d) - (other[0] + t e) perpendicular to d and e:  s dd - t de = r.d,  s de - t ee = r.e.
  const Rational s = (dot(r, d) * ee - dot(r, e) * de) / determinant;
  const Rational t = (dot(r, d) * de - dot(r, e) * dd) / determinant;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) keep_smaller(least, squared_distance(segment[0] + s * d, other[0] + t * e));
  return least;
}

Rational squared_distance(const Point& p, const Triangle& t) {
  Rational least = squared_distance(p, edge(t, 0));
  keep_smaller(least, squared_distance(p, edge(t, 1)));
  keep_smaller(least, squared_distance(p, edge(t, 2)));
  const Point normal = cross(t[1] - t[0], t[2] - t[0]);
  const Rational normal_squared = dot(normal, normal);
  if (normal_squared.is_zero()) return least;  // a degenerate triangle is the union of its edges
  const Point foot = p - Rational(dot(normal, p - t[0]) / normal_squared) * normal;
  if (point_in_triangle(foot, t)) keep_smaller(least, squared_distance(p, foot));
  return least;
}

/// If the triangles are apart, the closest points are a corner and a point of the other triangle, or lie on two edges.
Rational squared_distance(const Triangle& a, const Triangle& b) {
  if (!intersect(hull(a), hull(b)).corners.empty()) return 0;
  Rational least = squared_distance(a[0], b);
  for (std::size_t i = 0; i < 3; ++i) {
    keep_smaller(least, squared_distance(a[i], b));
    keep_smaller(least, squared_distance(b[i], a));
    for (std::size_t j = 0; j < 3; ++j) keep_smaller(least, squared_distance(edge(a, i), edge(b, j)));
  }
  return least;
}

}  // namespace graze::oracle
