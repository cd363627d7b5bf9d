// SPDX-License-Identifier: MIT
#include "engine/elementary/kept_distance.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::elementary {
namespace {

using math::infinity;

/// Bernstein coefficients on an interval, each times its binomial: a product is then a plain convolution.
template <std::size_t degree>
using Polynomial = std::array<double, degree + 1>;
template <std::size_t degree>
using Path = std::array<Vec3, degree + 1>;

template <class Out, class A, class B, class Multiply>
Out convolved(const A& a, const B& b, Multiply multiply) {
  Out c{};
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) c[i + j] = c[i + j] + multiply(a[i], b[j]);
  return c;
}
template <std::size_t m, std::size_t n>
Polynomial<m + n - 2> product(const std::array<Vec3, m>& a, const std::array<Vec3, n>& b) {
  return convolved<Polynomial<m + n - 2>>(a, b, [](const Vec3& x, const Vec3& y) { return dot(x, y); });
}
template <std::size_t m, std::size_t n>
Polynomial<m + n - 2> product(const std::array<double, m>& a, const std::array<double, n>& b) {
  return convolved<Polynomial<m + n - 2>>(a, b, [](double x, double y) { return x * y; });
}
template <std::size_t m, std::size_t n>
Path<m + n - 2> product(const std::array<Vec3, m>& a, const std::array<double, n>& b) {
  return convolved<Path<m + n - 2>>(a, b, [](const Vec3& x, double y) { return x * y; });
}
Path<2> perpendicular(const Path<1>& a, const Path<1>& b) {
  return convolved<Path<2>>(a, b, [](const Vec3& x, const Vec3& y) { return cross(x, y); });
}
/// The same polynomial as one of a degree higher by two.
template <std::size_t n>
Polynomial<n + 1> raised(const std::array<double, n>& a) {
  return product(a, Polynomial<2>{1, 2, 1});
}

double longest(const Path<1>& a) { return std::sqrt(std::max(dot(a[0], a[0]), dot(a[1], a[1]))); }

/// a - b / 2 is above the error everywhere: so are all coefficients. The error is that of one coefficient that is not
/// multiplied by its binomial.
template <std::size_t n>
bool exceeds_half(const std::array<double, n>& a, const std::array<double, n>& b, double error) {
  double binomial = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (!(a[k] - 0.5 * b[k] > binomial * error)) return false;
    binomial = binomial * static_cast<double>(n - 1 - k) / static_cast<double>(k + 1);
  }
  return true;
}

/// Products of lengths below this have lost digits.
constexpr double least_product = 0x1p-900;

}  // namespace

KeptDistance::KeptDistance(ElementaryKind kind, const MovingDifference& d, double keep)
    : d_(d), n_(static_cast<std::size_t>(d.n)), keep_(keep) {
  difference_points(kind, pairs_);
}

KeptDistance::Part KeptDistance::vertex(std::size_t i) const {
  Part p{1, {i, i}, {}, 0};
  p.near[i] = 1;
  return p;
}

KeptDistance::Part KeptDistance::edge(std::size_t i, std::size_t j, double t) const {
  Part p{2, {i, j}, {}, 0};
  const Vec3 x = d_.place(i, t), e = d_.place(j, t) - x;
  const double square = dot(e, e), share = square > 0 ? std::clamp(-dot(x, e) / square, 0.0, 1.0) : 0;
  p.near[i] = 1 - share;
  p.near[j] = share;
  return p;
}

KeptDistance::Part KeptDistance::face(const ClosestDifference& closest, double t) const {
  Part p{3, {0, 0}, {}, 0};
  const std::array<double, 4>& w = closest.weights;
  if (n_ == 4)
    p.near = {w[0] * w[2], w[0] * w[3], w[1] * w[2], w[1] * w[3]};
  else
    p.near = {w[1], w[2], w[3], 0};
  // The edges of the face, the longer first, and the part of the shorter that is perpendicular to it now: their cross
  // product is the same, but not a difference of much larger numbers if the face is a needle.
  const std::array<std::size_t, 2> ends = n_ == 4 ? std::array<std::size_t, 2>{2, 1} : std::array<std::size_t, 2>{1, 2};
  const Vec3 first = d_.place(0, t), a = d_.place(ends[0], t) - first, b = d_.place(ends[1], t) - first;
  const bool swap = dot(b, b) > dot(a, a);
  p.point = swap ? std::array{ends[1], ends[0]} : ends;
  const Vec3 &u = swap ? b : a, &v = swap ? a : b;
  p.along = dot(u, u) > 0 ? dot(u, v) / dot(u, u) : 0;
  return p;
}

KeptParts KeptDistance::parts_of(const Part& part) const {
  unsigned bits = 0;
  for (std::size_t i = 0; i < n_; ++i)
    if (part.points == 3 || i == part.point[0] || i == part.point[1]) bits |= 1u << pairs_[i][0] | 1u << pairs_[i][1];
  return static_cast<KeptParts>(bits);
}

double KeptDistance::safe_until(double t, const ClosestDifference& closest, KeptParts& parts) const {
  double best = t;
  const auto offer = [&](const Part& part) {
    // Most parts are not even the closest now.
    if (!holds(part, t, t)) return false;
    const double until = walk(part, t);
    if (!(until > best)) return false;
    best = until;
    parts = parts_of(part);
    return until - t >= 0.25 * (1 - t);
  };
  // First what is closest now. Near a change from one part to another both may be valid, so the longest is taken.
  const bool edge_first = closest.edge[0] >= 0;
  if (edge_first &&
      offer(edge(static_cast<std::size_t>(closest.edge[0]), static_cast<std::size_t>(closest.edge[1]), t)))
    return best;
  if (n_ >= 3 && offer(face(closest, t))) return best;
  for (std::size_t i = 0; i < n_; ++i) {
    if (offer(vertex(i))) return best;
    for (std::size_t j = 0; j < i; ++j) {
      const bool diagonal = n_ == 4 && i + j == 3;
      if (!diagonal && offer(edge(j, i, t))) return best;
    }
  }
  return best;
}

/// By intervals that double where they are certified and are quartered where not. Towards a root, and past a minimum
/// that only just exceeds the separation, they shrink by a constant factor.
double KeptDistance::walk(const Part& part, double t) const {
  double h = 1 - t;
  for (int i = 0; i < 48; ++i) {
    const double to = std::min(t + h, 1.0);
    if (!(to > t)) break;
    if (holds(part, t, to)) {
      t = to;
      if (t >= 1) return infinity;
      h *= 2;
    } else {
      h *= 0.25;
    }
  }
  return t;
}

/// Everything is beyond `keep_` from `from` to `to`, along a direction n(t) that is a polynomial. With r the near point
/// of the part (any point would do), for every point x of the difference n.x > keep |n| is needed. Its square root is
/// avoided by 2 a b <= a^2 + b^2, which loses nothing where the part is at that distance:
///   * of a vertex n = r: keep |n| <= (keep^2 + r.r) / 2;
///   * of an edge e, n = e x (r x e), n.r = |e x r|^2 and |n| = |e| |e x r|: keep |n| <= (keep^2 e.e + n.r) / 2;
///   * of a face, n = u x v, f = n.r > 0: f keep |n| <= (keep^2 n.n + f^2) / 2. For x = r this includes f != 0; where
///     f < 0, -n takes the place of n.
///
/// Rounding: the points at both ends are off by a few eps of the largest distance (eps = 2^-53), which the caller's
/// `keep` covers; between them, and for r, e, u and v as computed, everything is exact polynomials. A product of two
/// linear factors of lengths a and b has an error of less than 8 eps a b in each coefficient, each further factor adds
/// less than 8 eps, and so do sums: below 64 eps of the products of lengths for a vertex or an edge, 128 eps for a
/// face.
bool KeptDistance::holds(const Part& part, double from, double to) const {
  std::array<Path<1>, 4> x;
  double far = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    x[i] = {d_.place(i, from), d_.place(i, to)};
    far = std::max(far, longest(x[i]));
  }
  constexpr double eps = 0x1p-53;
  const double keep2 = keep_ * keep_;
  if (part.points == 1) {
    const Path<1>& r = x[part.point[0]];
    const double size = longest(r) * far + keep2, error = 64 * eps * size;
    if (!(size > least_product)) return false;
    Polynomial<2> bound = product(r, r);
    bound = {bound[0] + keep2, bound[1] + 2 * keep2, bound[2] + keep2};
    for (std::size_t i = 0; i < n_; ++i)
      if (!exceeds_half(product(r, x[i]), bound, error)) return false;
    return true;
  }
  Path<1> r{};
  for (std::size_t i = 0; i < n_; ++i)
    if (part.near[i] != 0)
      for (std::size_t end = 0; end < 2; ++end) r[end] = r[end] + x[i][end] * part.near[i];
  const double r_size = longest(r);
  const auto difference = [&](std::size_t i, std::size_t j) { return Path<1>{x[i][0] - x[j][0], x[i][1] - x[j][1]}; };
  if (part.points == 2) {
    const Path<1> e = difference(part.point[1], part.point[0]);
    const double square = longest(e) * longest(e), size = square * (r_size * std::max(far, r_size) + keep2);
    const double error = 64 * eps * size;
    if (!(size > least_product && square > least_product)) return false;
    const Polynomial<2> ee = product(e, e);
    const Path<3> a = product(r, ee), b = product(e, product(r, e));
    Path<3> n;
    for (std::size_t k = 0; k < 4; ++k) n[k] = a[k] - b[k];
    Polynomial<4> bound = raised(ee);
    const Polynomial<4> near = product(n, r);
    for (std::size_t k = 0; k < 5; ++k) bound[k] = keep2 * bound[k] + near[k];
    for (std::size_t i = 0; i < n_; ++i)
      if (!exceeds_half(product(n, x[i]), bound, error)) return false;
    return true;
  }
  const Path<1> u = difference(part.point[0], 0);
  Path<1> v = difference(part.point[1], 0);
  for (std::size_t end = 0; end < 2; ++end) v[end] = v[end] - u[end] * part.along;
  const double area = longest(u) * longest(v), square = area * area;
  const double size = square * (r_size * std::max(far, r_size) + keep2), error = 128 * eps * size;
  if (!(size > least_product && square > least_product)) return false;
  const Path<2> n = perpendicular(u, v);
  const Polynomial<3> f = product(n, r);
  Polynomial<6> bound = raised(product(n, n));
  const Polynomial<6> near = product(f, f);
  for (std::size_t k = 0; k < 7; ++k) bound[k] = keep2 * bound[k] + near[k];
  for (std::size_t i = 0; i < n_; ++i)
    if (!exceeds_half(product(f, product(n, x[i])), bound, error)) return false;
  return true;
}

}  // namespace graze::engine::elementary
