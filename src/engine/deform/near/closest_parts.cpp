// SPDX-License-Identifier: MIT
#include "engine/deform/near/closest_parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "engine/deform/near/exact_signs.hpp"
#include "math/dyadic.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

namespace {

/// The squared distance of a point of the one feature and one of the other is a convex function of their parameters.
/// So a place of the parameters' domain is the closest one if and only if the function does not fall from there into
/// the domain: a corner by two derivatives, the interior of an edge by its zero along the edge and the derivative
/// across it. That is right also where the function is not strictly convex, for parallel and collapsed features; then
/// several places are the closest, and the first one in the order of the definition is taken.
unsigned parts_of_vertex_face(const std::array<Vec3, 4>& p) {
  int along[3][3] = {};  // the sign of (p - t_i) . (t_j - t_i)
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      if (i != j) along[i][j] = dot_sign({p[1 + i], p[0]}, {p[1 + i], p[1 + j]});
    if (along[i][(i + 1) % 3] <= 0 && along[i][(i + 2) % 3] <= 0) return 1u | 2u << i;
  }
  constexpr std::size_t edges[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};  // two corners, and the third one
  for (const auto& [i, j, k] : edges) {
    if (along[i][j] <= 0 || along[j][i] <= 0) continue;
    // From the foot q on the edge e = t_j - t_i towards t_k: (p - q) . (t_k - t_i) |e|^2 = (e x (p - t_i)) . (e x (t_k
    // - t_i)).
    const Arrow e{p[1 + i], p[1 + j]};
    if (crosses_sign(e, {p[1 + i], p[0]}, e, {p[1 + i], p[1 + k]}) <= 0) return 1u | 2u << i | 2u << j;
  }
  return 15;
}

/// Edges a0 + s u and b0 + t v; x_ij = a_i - b_j. The derivative by s has the sign of u . x, by t of -v . x.
unsigned parts_of_edges(const std::array<Vec3, 4>& p, const std::array<std::uint32_t, 4>& ids) {
  const Arrow u{p[0], p[1]}, v{p[2], p[3]};
  int by_u[2][2], by_v[2][2];
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const Arrow x{p[2 + j], p[i]};
      by_u[i][j] = dot_sign(u, x);
      by_v[i][j] = dot_sign(v, x);
    }
  for (std::size_t i = 0; i < 2; ++i)  // in order of their ids, whichever of a1, b0 and b1 is lower
    for (std::size_t j = 0; j < 2; ++j)
      if ((i == 0 ? by_u[i][j] >= 0 : by_u[i][j] <= 0) && (j == 0 ? by_v[i][j] <= 0 : by_v[i][j] >= 0))
        return 1u << i | 4u << j;
  std::array<std::size_t, 4> ends{0, 1, 2, 3};
  for (std::size_t k = 1; k < 3 && ids[ends[k]] > ids[ends[k + 1]]; ++k) std::swap(ends[k], ends[k + 1]);
  for (const std::size_t end : ends) {
    if (end < 2) {  // an end of a over the edge b: the derivative by s at the foot, times |v|^2
      if (by_v[end][0] <= 0 || by_v[end][1] >= 0) continue;
      const int slope = crosses_sign(v, u, v, {p[2], p[end]});
      if (end == 0 ? slope >= 0 : slope <= 0) return 1u << end | 12u;
    } else {
      const std::size_t j = end - 2;
      if (by_u[0][j] >= 0 || by_u[1][j] <= 0) continue;
      const int slope = crosses_sign(u, v, u, {p[end], p[0]});
      if (j == 0 ? slope <= 0 : slope >= 0) return 3u | 1u << end;
    }
  }
  return 15;
}

/// The vectors that a distance is computed from: of an edge, or of a triangle's two edges or of two edges, and to the
/// other part.
struct Span {
  Vec3 u, v, w;
};

/// From the nearest of the given points to p: products with short vectors have small errors.
Vec3 shortest(std::initializer_list<Vec3> vectors) {
  const Vec3* best = vectors.begin();
  for (const Vec3& x : vectors)
    if (dot(x, x) < dot(*best, *best)) best = &x;
  return *best;
}

Span span_of(const Parts& parts) {
  const auto& p = parts.points;
  switch (parts.kind) {
    case ElementaryKind::vertex_vertex: break;
    case ElementaryKind::vertex_edge: return {p[2] - p[1], {}, shortest({p[0] - p[1], p[0] - p[2]})};
    case ElementaryKind::edge_edge:
      return {p[1] - p[0], p[3] - p[2], shortest({p[0] - p[2], p[0] - p[3], p[1] - p[2], p[1] - p[3]})};
    case ElementaryKind::vertex_face:
      return {p[2] - p[1], p[3] - p[1], shortest({p[0] - p[1], p[0] - p[2], p[0] - p[3]})};
  }
  return {{}, {}, p[0] - p[1]};
}

/// Squares below this have lost digits to underflow: nothing is certain then.
constexpr double least_square = 0x1p-500;

/// How much longer the product of the lengths of u and v is than their cross product n: the inverse sine of their
/// angle.
double slenderness(const Vec3& u, const Vec3& v, double square) { return std::sqrt(dot(u, u) * dot(v, v) / square); }

/// Three points on a line, and two parallel edges, have a normal that is mostly rounding. Weights lose twice as many
/// digits as this has.
constexpr double slender = 32;

/// num / den is the squared distance.
struct ExactDistance {
  math::Dyadic num, den;
};

math::DyadicVec3 dyadic(const Vec3& to, const Vec3& from) { return math::DyadicVec3(to) - math::DyadicVec3(from); }

/// The plane or the lines of the parts; the normal is not 0, because the closest points are strictly inside.
struct ExactSpan {
  math::DyadicVec3 u, v, w, n;
  math::Dyadic square;  ///< of n
};
ExactSpan exact_span(const Parts& parts) {
  const auto& p = parts.points;
  const bool edges = parts.kind == ElementaryKind::edge_edge;
  ExactSpan s;
  s.u = edges ? dyadic(p[1], p[0]) : dyadic(p[2], p[1]);
  s.v = edges ? dyadic(p[3], p[2]) : dyadic(p[3], p[1]);
  s.w = edges ? dyadic(p[0], p[2]) : dyadic(p[0], p[1]);
  s.n = cross(s.u, s.v);
  s.square = dot(s.n, s.n);
  return s;
}

ExactDistance exact_distance(const Parts& parts) {
  const auto& p = parts.points;
  if (parts.kind == ElementaryKind::vertex_vertex) {
    const math::DyadicVec3 w = dyadic(p[0], p[1]);
    return {dot(w, w), math::Dyadic(1)};
  }
  if (parts.kind == ElementaryKind::vertex_edge) {
    const math::DyadicVec3 e = dyadic(p[2], p[1]), c = cross(e, dyadic(p[0], p[1]));
    return {dot(c, c), dot(e, e)};
  }
  const ExactSpan s = exact_span(parts);
  const math::Dyadic height = dot(s.n, s.w);
  return {height * height, s.square};
}

std::array<double, 4> exact_weights(const Parts& parts) {
  if (parts.kind == ElementaryKind::vertex_edge) {
    const math::DyadicVec3 e = dyadic(parts.points[2], parts.points[1]);
    const double share = std::min(1.0, math::ratio(dot(dyadic(parts.points[0], parts.points[1]), e), dot(e, e)));
    return {1, 1 - share, share, 0};
  }
  const ExactSpan s = exact_span(parts);
  const auto share = [&](const math::Dyadic& num) {
    return num.sign() <= 0 ? 0.0 : std::min(1.0, math::ratio(num, s.square));
  };
  if (parts.kind == ElementaryKind::edge_edge) {
    // (a0 + x u) - (b0 + y v) is perpendicular to both: x |n|^2 = (v x w) . n, y |n|^2 = (u x w) . n, w = a0 - b0.
    const double x = share(dot(cross(s.v, s.w), s.n)), y = share(dot(cross(s.u, s.w), s.n));
    return {1 - x, x, 1 - y, y};
  }
  const double b = share(dot(cross(s.w, s.v), s.n)), c = std::min(share(dot(cross(s.u, s.w), s.n)), 1 - b);
  return {1, 1 - b - c, b, c};
}

double within_unit(double x) { return x > 0 ? std::min(x, 1.0) : 0.0; }  // NaN: 0

std::array<double, 4> rounded_weights(const Parts& parts) {
  const auto& p = parts.points;
  switch (parts.kind) {
    case ElementaryKind::vertex_vertex: break;
    case ElementaryKind::vertex_edge: {
      // From the nearer end, for the smaller error.
      const Vec3 e = p[2] - p[1], x = p[0] - p[1], y = p[0] - p[2];
      const double whole = dot(e, e);
      if (dot(x, x) < dot(y, y)) {
        const double share = within_unit(dot(x, e) / whole);
        return {1, 1 - share, share, 0};
      }
      const double share = within_unit(-dot(y, e) / whole);
      return {1, share, 1 - share, 0};
    }
    case ElementaryKind::edge_edge: {
      const Vec3 u = p[1] - p[0], v = p[3] - p[2], w = p[0] - p[2], n = cross(u, v);
      const double whole = dot(n, n);
      const double x = within_unit(dot(cross(v, w), n) / whole), y = within_unit(dot(cross(u, w), n) / whole);
      return {1 - x, x, 1 - y, y};
    }
    case ElementaryKind::vertex_face: {
      const Vec3 u = p[2] - p[1], v = p[3] - p[1], w = p[0] - p[1], n = cross(u, v);
      const double whole = dot(n, n), b = within_unit(dot(cross(w, v), n) / whole);
      const double c = std::min(within_unit(dot(cross(u, w), n) / whole), 1 - b);
      return {1, 1 - b - c, b, c};
    }
  }
  return {1, 1, 0, 0};
}

}  // namespace

unsigned closest_parts(ElementaryKind kind, const std::array<Vec3, 4>& points,
                       const std::array<std::uint32_t, 4>& ids) {
  return kind == ElementaryKind::vertex_face ? parts_of_vertex_face(points) : parts_of_edges(points, ids);
}

/// Error bounds, with eps = 2^-53. Two points: five roundings in the square, one in its root. A point and an edge u:
/// the cross product of u and w has less than 4.01 eps (|u_j w_k| + |u_k w_j|) in each component, in all 4.01 sqrt 2
/// eps |u| |w| < 6 eps |u| |w|; divided by |u| that is 6 eps |w|, and length, root and quotient add 8 eps of the
/// distance. A plane or two lines with normal n = u x v: n is off by 6 eps |u| |v|, so the height n . w / |n| by 6 eps
/// |w| |u| |v| / |n| directly, by the same through |n|, and by 5 eps |w| in the product; the distance is at most |w|.
/// The factor 2^-48 = 32 eps covers the roundings of the bounds themselves, as long as |u| |v| / |n| < 2^40. Squares
/// that underflow are refused by `least_square`. What underflows in a square loses less than 2^-536
/// of its root, or 2^-286 of a quotient; `lost` is more.
RoundedDistance rounded_distance(const Parts& parts) {
  const Span s = span_of(parts);
  const double reach = std::sqrt(dot(s.w, s.w));
  constexpr double lost = 0x1p-270;
  if (parts.kind == ElementaryKind::vertex_vertex) return {reach, 0x1p-49 * reach + 0x1p-530};
  if (parts.kind == ElementaryKind::vertex_edge) {
    const Vec3 c = cross(s.u, s.w);
    const double whole = dot(s.u, s.u);
    if (!(whole > least_square && whole < math::infinity)) return {0, math::infinity};
    const double distance = std::sqrt(dot(c, c) / whole);
    return {distance, 0x1p-48 * (reach + distance) + lost};
  }
  const Vec3 n = cross(s.u, s.v);
  const double square = dot(n, n), more = slenderness(s.u, s.v, square);
  if (!(square > least_square && square < math::infinity) || !(more < 0x1p40)) return {0, math::infinity};
  const double distance = std::fabs(dot(n, s.w)) / std::sqrt(square);
  return {distance, 0x1p-48 * reach * (1 + more) + lost};
}

bool is_within(const Parts& parts, double d) {
  const RoundedDistance r = rounded_distance(parts);
  if (r.distance + r.error * 1.01 < d) return true;
  if (r.distance - r.error * 1.01 > d) return false;
  const ExactDistance e = exact_distance(parts);
  const math::Dyadic bound(d);
  return (e.num - bound * bound * e.den).sign() <= 0;
}

Measured measure(const Parts& parts, double unit) {
  const RoundedDistance r = rounded_distance(parts);
  Measured m{r.distance * unit, {}};
  if (!(r.distance < math::infinity && r.error <= 0x1p-29 * r.distance)) {
    // By the unit before it is rounded: what is tiny beside the largest coordinate is subnormal here.
    const ExactDistance e = exact_distance(parts);
    const math::Dyadic by(unit);
    m.distance = e.num.sign() == 0 ? 0 : math::sqrt_ratio(e.num * by * by, e.den);
  }
  const Span s = span_of(parts);
  // Squares may also overflow: some coordinates are not scaled, so that none is rounded (`InstantBoxes`).
  const auto in_range = [](double square) { return square > least_square && square < math::infinity; };
  bool thin = parts.kind == ElementaryKind::vertex_edge && !in_range(dot(s.u, s.u));
  if (parts.kind == ElementaryKind::edge_edge || parts.kind == ElementaryKind::vertex_face) {
    const Vec3 n = cross(s.u, s.v);
    const double square = dot(n, n);
    thin = !(in_range(square) && slenderness(s.u, s.v, square) < slender);
  }
  m.weights = thin ? exact_weights(parts) : rounded_weights(parts);
  return m;
}

}  // namespace graze::engine::deform
