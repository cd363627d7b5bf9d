// SPDX-License-Identifier: MIT
#include "engine/ray/details.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "body/features.hpp"
#include "engine/ray/fraction.hpp"
#include "engine/ray/precise.hpp"
#include "math/vectors.hpp"

namespace graze::engine::ray {

namespace {

using math::BoundedDoubleDouble;
using math::Dyadic;
using math::DyadicVec3;

Vec3 rounded(const PrecisePoint& p) { return {p[0].hi, p[1].hi, p[2].hi}; }
double error_of(const PrecisePoint& p) { return std::max({p[0].error, p[1].error, p[2].error}); }

int exponent_of_largest(std::initializer_list<Vec3> vectors) {
  double m = 0;
  for (const Vec3& v : vectors) m = std::max(m, math::largest(v));
  int e = 0;
  std::frexp(m, &e);
  return e;
}

/// b - a, times 2^-exponent. Halved first, so that the difference cannot overflow; what underflows is in the error.
PrecisePoint difference(const Vec3& a, const Vec3& b, int exponent) {
  PrecisePoint d;
  for (int k = 0; k < 3; ++k) {
    const BoundedDoubleDouble x = math::exact_difference(0.5 * b[k], 0.5 * a[k]);
    d[static_cast<std::size_t>(k)] = {std::ldexp(x.hi, 1 - exponent), std::ldexp(x.lo, 1 - exponent),
                                      0x1p-1070 + std::ldexp(0x1p-1070, std::max(0, -exponent))};
  }
  return d;
}

/// The rotation of the body, as a matrix: `placement` turns the other way.
std::array<double, 9> rotation_of(const math::RelativePlacement& placement) {
  const std::array<double, 9>& r = placement.rotation();
  return {r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]};
}

DyadicVec3 area_exactly(const body::BodyData& body, std::uint32_t triangle) {
  const DyadicVec3 a(body.corner(triangle, 0)), b(body.corner(triangle, 1)), c(body.corner(triangle, 2));
  return cross(b - a, c - a);
}

Vec3 direction_of_exact(const DyadicVec3& n) {
  Dyadic largest;
  for (int k = 0; k < 3; ++k)
    if (const Dyadic size = n[k].sign() < 0 ? -n[k] : n[k]; largest < size) largest = size;
  if (largest.is_zero()) return {};
  return {math::ratio(n.x, largest), math::ratio(n.y, largest), math::ratio(n.z, largest)};
}

/// A vector along the triangle's normal, in the body's frame; zero if neither it nor its polygon has an area. Each
/// coordinate is right to 2^-52 of the largest.
Vec3 local_normal(const body::BodyData& body, std::uint32_t triangle) {
  const Vec3 &a = body.corner(triangle, 0), &b = body.corner(triangle, 1), &c = body.corner(triangle, 2);
  const Vec3 half_b = b * 0.5 - a * 0.5, half_c = c * 0.5 - a * 0.5;
  const PrecisePoint n =
      cross(difference(a, b, 1 + exponent_of_largest({half_b})), difference(a, c, 1 + exponent_of_largest({half_c})));
  if (error_of(n) <= 0x1p-56 * math::largest(rounded(n))) return rounded(n);
  const Vec3 exact = direction_of_exact(area_exactly(body, triangle));
  if (exact != Vec3{}) return exact;
  // A triangle without area, of a polygon that may have one.
  const auto [first, last] = body.mesh.triangles_of(body.mesh.polygon_of(TriangleId{triangle}));
  DyadicVec3 sum;
  for (std::uint32_t t = first; t < last; ++t) sum = sum + area_exactly(body, t);
  return direction_of_exact(sum);
}

/// The weights of the point of the triangle's boundary nearest to a point; all vectors from corner 0, of size about 1.
std::array<double, 3> weights_on_boundary(const std::array<Vec3, 3>& corners, const Vec3& point) {
  std::array<double, 3> best{1, 0, 0};
  double least = math::infinity;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const Vec3 edge = corners[next] - corners[k];
    double t = graze::dot(point - corners[k], edge) / graze::dot(edge, edge);
    if (!(t > 0)) t = 0;  // NaN of an edge without length, too
    t = std::min(t, 1.0);
    const double d = length(point - (corners[k] + edge * t));
    if (!(d < least)) continue;
    least = d;
    best = {};
    best[k] = 1 - t;
    best[next] = t;
  }
  return best;
}

/// How far inside the triangle a point is, and the weights of the point of the triangle nearest to it.
struct InTriangle {
  std::array<double, 3> weights{};
  double inside = 0;  ///< no edge is nearer to the point's projection than this; 0 if that is not sure
};

/// Weights are ratios of areas, which are computed from exact differences with about 100 bits. So they are right
/// relative to the point, however thin the triangle is. If double-doubles do not suffice, the triangle is thinner than
/// 2^-40 of its length, and the nearest point of its boundary does as well.
InTriangle locate_in_triangle(const std::array<Vec3, 3>& c, const Vec3& point) {
  const int exponent = 1 + exponent_of_largest({c[1] * 0.5 - c[0] * 0.5, c[2] * 0.5 - c[0] * 0.5});
  const PrecisePoint p = difference(c[0], point, exponent);
  const std::array<PrecisePoint, 3> corners{PrecisePoint{}, difference(c[0], c[1], exponent),
                                            difference(c[0], c[2], exponent)};
  const PrecisePoint n = cross(corners[1], corners[2]);
  const BoundedDoubleDouble area = dot(n, n);
  InTriangle out;
  bool sure = area.error <= 0x1p-40 * area.hi && math::largest(rounded(p)) <= 4;
  bool inside = sure;
  std::array<BoundedDoubleDouble, 3> parts;
  for (std::size_t k = 0; k < 3 && sure; ++k) {
    parts[k] = dot(cross(corners[(k + 1) % 3] - p, corners[(k + 2) % 3] - p), n);
    sure = parts[k].error <= 0x1p-52 * area.hi;
    inside = inside && sure && parts[k].hi > 0;
  }
  if (!inside) {
    out.weights = weights_on_boundary({Vec3{}, rounded(corners[1]), rounded(corners[2])}, rounded(p));
    return out;
  }
  const double sum = parts[0].hi + parts[1].hi + parts[2].hi;
  double least = math::infinity;
  for (std::size_t k = 0; k < 3; ++k) {
    out.weights[k] = parts[k].hi / sum;
    // The height over the edge opposite corner k is |n| / |edge|.
    const double edge = length(rounded(corners[(k + 1) % 3] - corners[(k + 2) % 3]));
    least = std::min(least, parts[k].hi / (std::sqrt(area.hi) * edge));
  }
  out.inside = std::ldexp(least, exponent);
  return out;
}

/// Which part of the triangle contains the hit, from exact numbers.
prim::Part part_exactly(const RayQuestion& q, std::uint32_t triangle) {
  Counters unused;
  math::PlacedPoints points(q.placement, unused);
  ExactPoints x{q.placement.exact_b(q.from), q.placement.exact_b(q.to), {}, {}, {}};
  points.add_b(q.from);
  points.add_b(q.to);
  for (std::size_t k = 0; k < 3; ++k) {
    points.add_a(q.body.corner(triangle, k));
    x[2 + k] = q.placement.exact_a(q.body.corner(triangle, k));
  }
  const ExactFraction s = exact_fraction(points, x);
  // All points times the denominator.
  const DyadicVec3 at = x[0] * (s.den - s.num) + x[1] * s.num;
  const auto corner = [&](int k) { return x[2 + static_cast<std::size_t>(k)] * s.den; };
  for (int k = 0; k < 3; ++k)
    if (const DyadicVec3 d = at - corner(k); d.x.is_zero() && d.y.is_zero() && d.z.is_zero())
      return prim::vertex_part(static_cast<std::size_t>(k));
  for (int k = 0; k < 3; ++k) {
    const DyadicVec3 edge = corner((k + 1) % 3) - corner(k), d = at - corner(k);
    const DyadicVec3 n = cross(edge, d);
    const Dyadic along = dot(edge, d);
    if (n.x.is_zero() && n.y.is_zero() && n.z.is_zero() && along.sign() > 0 && along < dot(edge, edge))
      return prim::edge_part(static_cast<std::size_t>(k));
  }
  return prim::Part::face;
}

/// Normal and weights in doubles, for a hit well inside a triangle that is not thin; `inside` is 0 otherwise.
struct PlainDetails {
  Vec3 normal;
  InTriangle at;
};

/// Let L be the longest edge. Differences are right to eps of themselves, each coordinate of a cross product of two of
/// them to 8 eps of L^2, and the area |n| is at least L^2 / 8: so the normal is right to 64 eps, a weight to 256 eps
/// (the point is at most 2 L away), and the place that the weights give to 2^-44 L. As much is taken off `inside`.
PlainDetails details_in_doubles(const std::array<Vec3, 3>& c, const Vec3& point) {
  PlainDetails out;
  const Vec3 e1 = c[1] - c[0], e2 = c[2] - c[0], e0 = c[2] - c[1], q = point - c[0];
  const double longest = std::max({graze::dot(e0, e0), graze::dot(e1, e1), graze::dot(e2, e2)});
  if (!(longest > 0x1p-300 && longest < 0x1p300 && graze::dot(q, q) <= 4 * longest)) return out;
  const Vec3 n = cross(e1, e2);
  const double area = graze::dot(n, n);
  if (!(area >= 0x1p-6 * longest * longest)) return out;
  const double w1 = graze::dot(cross(q, e2), n) / area, w2 = graze::dot(cross(e1, q), n) / area, w0 = 1 - w1 - w2;
  const double size = std::sqrt(area), sum = w0 + w1 + w2;
  const double least = size * std::min({w0 / length(e0), w1 / length(e2), w2 / length(e1)});
  const double inside = least - 0x1p-43 * std::sqrt(longest);
  if (!(inside > 0)) return out;
  out.normal = n;
  out.at = {{w0 / sum, w1 / sum, w2 / sum}, inside};
  return out;
}

}  // namespace

void add_details(const RayQuestion& q, RayHit& hit) {
  const std::uint32_t triangle = index(hit.triangle);
  const std::array<Vec3, 3> corners{q.body.corner(triangle, 0), q.body.corner(triangle, 1), q.body.corner(triangle, 2)};
  const Vec3 point = q.placement.place(hit.point);
  const PlainDetails plain = details_in_doubles(corners, point);
  const Vec3 n = plain.at.inside > 0 ? plain.normal : local_normal(q.body, triangle);
  if (n != Vec3{}) hit.normal = math::unit(math::turned(rotation_of(q.placement), math::unit(n)));
  const InTriangle at = plain.at.inside > 0 ? plain.at : locate_in_triangle(corners, point);
  hit.weights = at.weights;
  // `point` is this far from the exact hit: by its own rounding (`RayHit::point`, which is along each axis) and by that
  // of its placement. Twice that covers the roundings of `inside`.
  const double off =
      4 * (0x1p-50 * std::max(math::largest(q.from), math::largest(q.to)) + q.placement.error(hit.point));
  const prim::Part part = at.inside > off ? prim::Part::face : part_exactly(q, triangle);
  hit.feature = body::feature_of_part(q.body.mesh, triangle, part);
}

}  // namespace graze::engine::ray
