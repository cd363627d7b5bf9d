// SPDX-License-Identifier: MIT
#include "prim/closest/closest.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>

#include "math/vectors.hpp"

namespace graze::prim {

namespace {

/// The foot of p on the plane of t, if it lies inside the triangle as far as doubles can tell. It is made as a convex
/// combination of the corners, so it is a point of the triangle, up to the last places of the coordinates, even where a
/// needle's normal is mostly rounding.
bool foot_inside(const Vec3& p, const std::array<Vec3, 3>& t, Vec3& foot) {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], n = cross(u, v);
  std::array<double, 3> w;  // areas: w[k] belongs to the corner opposite to edge k
  for (std::size_t k = 0; k < 3; ++k) {
    w[k] = dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n);
    if (!(w[k] > 0)) return false;
  }
  const double sum = w[0] + w[1] + w[2];
  if (!std::isfinite(sum)) return false;
  foot = t[0] + u * (w[2] / sum) + v * (w[0] / sum);
  return true;
}

}  // namespace

namespace {

/// An edge, and values that are used with each partner.
struct Edge {
  Vec3 p0, p1, u;
  double square;
  Edge(const Vec3& from, const Vec3& to) : p0(from), p1(to), u(to - from), square(dot(u, u)) {}
};

inline SegmentPair closest_edges(const Edge& p, const Edge& q) {
  const Vec3 &p0 = p.p0, &p1 = p.p1, &q0 = q.p0, &q1 = q.p1, &u = p.u, &v = q.u, w = p0 - q0;
  const double a = p.square, b = dot(u, v), c = q.square, d = dot(u, w), e = dot(v, w);
  const double det = a * c - b * b;
  double s = det > 0 ? std::clamp((b * e - c * d) / det, 0.0, 1.0) : 0;
  if (!(c > 0)) s = a > 0 ? std::clamp(-d / a, 0.0, 1.0) : 0;  // the second is a point
  double t = c > 0 ? (b * s + e) / c : 0;
  // The best t for this s; if it leaves the segment, the best s for its end.
  if (!(t >= 0 && t <= 1)) {
    t = t > 1 ? 1 : 0;
    s = a > 0 ? std::clamp((b * t - d) / a, 0.0, 1.0) : 0;
  }
  return {s, t, s >= 1 ? p1 : p0 + u * s, t >= 1 ? q1 : q0 + v * t};
}

}  // namespace

SegmentPair closest_segment_segment(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  return closest_edges(Edge(p0, p1), Edge(q0, q1));
}

TrianglePoint closest_point_triangle(const Vec3& p, const std::array<Vec3, 3>& t) {
  Vec3 foot;
  if (foot_inside(p, t, foot)) return {foot, Part::face};
  TrianglePoint best{t[0], Part::vertex0};
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec3 &e0 = t[static_cast<std::size_t>(k)], &e1 = t[static_cast<std::size_t>((k + 1) % 3)];
    const SegmentPair pair = closest_segment_segment(p, p, e0, e1);
    const Vec3 d = p - pair.b;
    if (dot(d, d) < least) {
      least = dot(d, d);
      best = {pair.b, part_at(k, pair.t)};
    }
  }
  return best;
}

namespace {

/// Fourth powers of lengths are computed below; beyond these sizes they would overflow or underflow.
constexpr double smallest_size = 0x1p-200, largest_size = 0x1p200;

/// The exponent of the largest coordinate of any point from the first, or 0 if no scaling is needed.
int exponent_out_of_range(std::initializer_list<std::span<const Vec3>> points) {
  const Vec3& origin = (*points.begin())[0];
  double size = 0;
  for (const auto& list : points)
    for (const Vec3& x : list) {
      const Vec3 d = x - origin;
      size = std::max({size, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
  if (!(size > 0 && (size < smallest_size || size > largest_size) && std::isfinite(size))) return 0;
  int exponent;
  std::frexp(size, &exponent);
  return exponent;
}

Vec3 scaled(const Vec3& x, int by) { return {std::ldexp(x.x, by), std::ldexp(x.y, by), std::ldexp(x.z, by)}; }
template <std::size_t N>
std::array<Vec3, N> scaled(std::array<Vec3, N> points, int by) {
  for (Vec3& x : points) x = scaled(x, by);
  return points;
}

/// closest(a, b), with the triangles brought to a size of one if they are too small or too large.
template <class Search>
ClosestPair in_range(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, Search&& closest) {
  const int exponent = exponent_out_of_range({a, b});
  if (exponent == 0) return closest(a, b);
  ClosestPair c = closest(scaled(a, -exponent), scaled(b, -exponent));
  c.a = scaled(c.a, exponent);
  c.b = scaled(c.b, exponent);
  c.squared = std::ldexp(c.squared, 2 * exponent);
  return c;
}

/// Keeps the closest of all pairs of points offered, the first of equals.
struct Closest {
  ClosestPair best{{}, {}, Part::vertex0, Part::vertex0, std::numeric_limits<double>::infinity()};

  void offer(const Vec3& x, const Vec3& y, Part px, Part py) {
    const Vec3 d = y - x;
    const double squared = dot(d, d);
    if (squared < best.squared) best = {x, y, px, py, squared};
  }
  /// The pairs of edges that are wanted.
  template <class Wanted>
  void offer_edges(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, Wanted&& wanted) {
    const std::array<Edge, 3> edges_a{Edge(a[0], a[1]), Edge(a[1], a[2]), Edge(a[2], a[0])},
        edges_b{Edge(b[0], b[1]), Edge(b[1], b[2]), Edge(b[2], b[0])};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (!wanted(i, j)) continue;
        const SegmentPair s = closest_edges(edges_a[static_cast<std::size_t>(i)], edges_b[static_cast<std::size_t>(j)]);
        offer(s.a, s.b, part_at(i, s.s), part_at(j, s.t));
      }
  }
};

}  // namespace

SegmentPair closest_segment_segment_any_size(const std::array<Vec3, 2>& p, const std::array<Vec3, 2>& q) {
  const int e = exponent_out_of_range({p, q});
  if (e == 0) return closest_segment_segment(p[0], p[1], q[0], q[1]);
  const auto [p0, p1] = scaled(p, -e);
  const auto [q0, q1] = scaled(q, -e);
  SegmentPair c = closest_segment_segment(p0, p1, q0, q1);
  c.a = scaled(c.a, e);
  c.b = scaled(c.b, e);
  return c;
}

TrianglePoint closest_point_triangle_any_size(const Vec3& p, const std::array<Vec3, 3>& t) {
  const int e = exponent_out_of_range({t, std::span(&p, 1)});
  if (e == 0) return closest_point_triangle(p, t);
  TrianglePoint c = closest_point_triangle(scaled(p, -e), scaled(t, -e));
  c.point = scaled(c.point, e);
  return c;
}

ClosestPair closest_triangle_triangle(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  return in_range(a, b, [](const std::array<Vec3, 3>& p, const std::array<Vec3, 3>& q) {
    Closest c;
    c.offer_edges(p, q, [](int, int) { return true; });
    // Vertices over the face of the other; those over its edges were tested above.
    Vec3 foot;
    for (int k = 0; k < 3; ++k) {
      const Vec3 &pa = p[static_cast<std::size_t>(k)], &pb = q[static_cast<std::size_t>(k)];
      if (foot_inside(pa, q, foot)) c.offer(pa, foot, vertex_part(k), Part::face);
      if (foot_inside(pb, p, foot)) c.offer(foot, pb, Part::face, vertex_part(k));
    }
    return c.best;
  });
}

ClosestPair closest_vertex_or_edges(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, unsigned inner_a,
                                    unsigned inner_b) {
  return in_range(a, b, [&](const std::array<Vec3, 3>& p, const std::array<Vec3, 3>& q) {
    Closest c;
    c.offer_edges(p, q, [&](int i, int j) { return !(inner_a >> i & 1) && !(inner_b >> j & 1); });
    for (int k = 0; k < 3; ++k) {
      const Vec3 &pa = p[static_cast<std::size_t>(k)], &pb = q[static_cast<std::size_t>(k)];
      c.offer(pa, closest_point_triangle(pa, q).point, vertex_part(k), Part::face);
      c.offer(closest_point_triangle(pb, p).point, pb, Part::face, vertex_part(k));
    }
    return c.best;
  });
}

namespace {

/// The length of n, accurate to 4 eps where squares stay in range.
double length_of(const Vec3& n) {
  const double squared = dot(n, n);
  return squared > 1e-280 && squared < 1e280 ? std::sqrt(squared) : length(n);
}

double norm1(const Vec3& n) { return std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z); }

}  // namespace

// Range: where a product of a direction and a difference could reach 2^1000 nothing is proved: an infinite gap, or a
// NaN that `min` and `max` ignore, would separate everything. Nothing is proved either where the direction is so short
// that its length has lost digits.
namespace {

bool in_range(const Vec3& n, double reach) { return norm1(n) * reach < 0x1p1000 && norm1(n) > 0x1p-960; }

}  // namespace

double separation(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, const Vec3& direction, double error) {
  const double size = math::largest(direction);
  const Vec3 n = size > 0x1p-300 && size < 0x1p300 ? direction : math::of_size_one(direction);
  double top = -std::numeric_limits<double>::infinity(), bottom = -top, reach = 0;
  const auto along = [&](const Vec3& x) {
    const Vec3 d = x - a[0];
    reach = std::max({reach, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    return dot(n, d);
  };
  for (const Vec3& x : a) top = std::max(top, along(x));
  for (const Vec3& x : b) bottom = std::min(bottom, along(x));
  // Each product n . d: three differences (eps each), three products and two sums: below 4 eps |n|_1 reach; twice. The
  // coordinates' own errors: error |n|_1 on either side, for a corner and for a[0] that is subtracted from all of them
  // alike. Products that underflow: below 1e-320. |n| is rounded by less than 4 eps.
  const double slack = norm1(n) * (4 * error + 8 * 0x1p-53 * reach) + 1e-320;
  const double len = length_of(n);
  if (!in_range(n, reach)) return 0;
  return (bottom - top - slack) / len * (1 - 8 * 0x1p-53);
}

Vec3 across_parts(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, const ClosestPair& c) {
  const auto edge = [](const std::array<Vec3, 3>& t, Part p) {
    const auto k = static_cast<std::size_t>(edge_of(p));
    return t[(k + 1) % 3] - t[k];
  };
  const auto normal = [](const std::array<Vec3, 3>& t) { return cross(t[1] - t[0], t[2] - t[0]); };
  const Vec3 offset = c.b - c.a;
  Vec3 n = offset;
  if (c.part_a == Part::face || c.part_b == Part::face) {
    n = normal(c.part_a == Part::face ? a : b);
  } else if (is_edge(c.part_a) || is_edge(c.part_b)) {
    const Vec3 u = is_edge(c.part_a) ? edge(a, c.part_a) : edge(b, c.part_b);
    const Vec3 v = is_edge(c.part_b) ? edge(b, c.part_b) : u;
    const Vec3 product = cross(u, v);
    // For one edge, or two nearly parallel ones: the vector between the points less its part along the edge.
    n = dot(product, product) > 0x1p-30 * dot(u, u) * dot(v, v) ? product : offset - u * (dot(offset, u) / dot(u, u));
  }
  return dot(n, offset) < 0 ? -n : n;
}

bool planes_separate(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double error, double bound) {
  const auto beyond = [&](const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& points) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    double lo = std::numeric_limits<double>::infinity(), hi = -lo, reach = 0;
    for (const Vec3& x : points) {
      const Vec3 d = x - t[0];
      const double h = dot(n, d);
      lo = std::min(lo, h);
      hi = std::max(hi, h);
      reach = std::max({reach, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
    // n is the rounded normal: the triangle's own corners are off its plane by less than their products' roundings, 16
    // eps |n|_1 of the edges, and by the corners' error. A needle whose n is mostly rounding has a small n, and n . d
    // is then below the slack of its own corners, which is measured, not assumed.
    double own = 0;
    for (const Vec3& x : t) own = std::max(own, std::fabs(dot(n, x - t[0])));
    const double edge = std::max(norm1(t[1] - t[0]), norm1(t[2] - t[0]));
    const double slack = norm1(n) * (4 * error + 8 * 0x1p-53 * (reach + edge)) + own + 1e-320;
    const double gap = std::max(lo, -hi) - slack;
    return in_range(n, reach + edge) && gap > 0 && gap * (1 - 0x1p-50) > bound * length_of(n) * (1 + 0x1p-50);
  };
  return beyond(a, b) || beyond(b, a);
}

ExactDistance exact_distance(const std::array<math::DyadicVec3, 3>& a, const std::array<math::DyadicVec3, 3>& b) {
  using math::Dyadic;
  using math::DyadicVec3;
  ExactDistance best;
  bool any = false;
  // The closest points of two convex polytopes lie in the relative interiors of two faces, and are then the closest
  // points of the faces' affine hulls. So it is enough to try all pairs of faces for which those exist, are unique, and
  // lie inside.
  const auto offer = [&](const Dyadic& num, const Dyadic& den, Part pa, Part pb) {
    if (any && !(num * best.den < best.num * den)) return;
    best = {num, den, pa, pb};
    any = true;
  };
  const auto squared = [](const DyadicVec3& v) { return dot(v, v); };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      offer(squared(a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(j)]), Dyadic(1), vertex_part(i),
            vertex_part(j));
  const auto point_edge = [&](const DyadicVec3& p, const DyadicVec3& e0, const DyadicVec3& e1, Part pp, Part pe,
                              bool swapped) {
    const DyadicVec3 u = e1 - e0, w = p - e0;
    const Dyadic t = dot(w, u), d = squared(u);
    if (t.sign() <= 0 || (d - t).sign() <= 0) return;
    offer(squared(w) * d - t * t, d, swapped ? pe : pp, swapped ? pp : pe);
  };
  const auto point_face = [&](const DyadicVec3& p, const std::array<DyadicVec3, 3>& t, Part pp, bool swapped) {
    const DyadicVec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const Dyadic nn = squared(n);
    if (nn.sign() == 0) return;
    for (std::size_t k = 0; k < 3; ++k)
      if (dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n).sign() <= 0) return;
    const Dyadic h = dot(n, p - t[0]);
    offer(h * h, nn, swapped ? Part::face : pp, swapped ? pp : Part::face);
  };
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    for (int j = 0; j < 3; ++j) {
      const auto e0 = static_cast<std::size_t>(j), e1 = static_cast<std::size_t>((j + 1) % 3);
      point_edge(a[k], b[e0], b[e1], vertex_part(i), edge_part(j), false);
      point_edge(b[k], a[e0], a[e1], vertex_part(i), edge_part(j), true);
      const DyadicVec3 u = a[(k + 1) % 3] - a[k], v = b[e1] - b[e0], w = a[k] - b[e0];
      const Dyadic uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
      const Dyadic det = uu * vv - uv * uv, s = uv * vw - vv * uw, t = uu * vw - uv * uw;
      if (det.sign() <= 0 || s.sign() <= 0 || t.sign() <= 0 || (det - s).sign() <= 0 || (det - t).sign() <= 0) continue;
      const Dyadic h = dot(w, cross(u, v));
      offer(h * h, det, edge_part(i), edge_part(j));
    }
    point_face(a[k], b, vertex_part(i), false);
    point_face(b[k], a, vertex_part(i), true);
  }
  return best;
}

}  // namespace graze::prim
