// SPDX-License-Identifier: MIT
#include "engine/ray/fraction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "prim/edge_triangle.hpp"

namespace graze::engine::ray {

namespace {

using math::Dyadic;
using math::DyadicVec3;

ExactFraction with_positive_denominator(const Dyadic& num, const Dyadic& den) {
  return den.sign() > 0 ? ExactFraction{num, den} : ExactFraction{-num, -den};
}

/// The component of a x b along an axis.
Dyadic cross_along(int axis, const DyadicVec3& a, const DyadicVec3& b) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  return a[u] * b[v] - a[v] * b[u];
}

/// The same as exact_fraction, for a segment that does not begin on this edge of the triangle, but meets it.
ExactFraction fraction_at_edge(const ExactPoints& x, std::size_t c, std::size_t d) {
  const DyadicVec3 &from = x[0], direction = x[1] - from;
  const DyadicVec3 edge = x[d] - x[c];
  // from + s direction = c + r edge; the cross product with `edge` leaves s.
  for (int axis = 0; axis < 3; ++axis)
    if (const Dyadic den = cross_along(axis, direction, edge); !den.is_zero())
      return with_positive_denominator(cross_along(axis, x[c] - from, edge), den);
  // Parallel and meeting: collinear (or the edge is a point). The first common point is an end of the edge.
  int axis = 0;
  while (axis < 2 && direction[axis].is_zero()) ++axis;
  std::optional<ExactFraction> first;
  for (const std::size_t end : {c, d}) {
    const ExactFraction s = with_positive_denominator((x[end] - from)[axis], direction[axis]);
    if (s.num.sign() < 0 || s.den < s.num) continue;
    if (!first || compare(s, *first) < 0) first = s;
  }
  return *first;
}

/// The segment lies in the triangle's plane, or the triangle is degenerate.
ExactFraction fraction_in_plane(math::PlacedPoints& p, const ExactPoints& x) {
  if (prim::edge_triangle(p, {0, 0}, {2, 3, 4}) != prim::EdgeContact::none) return {Dyadic(0), Dyadic(1)};
  std::optional<ExactFraction> first;  // it begins outside, so it enters through an edge
  for (int k = 0; k < 3; ++k) {
    const int c = 2 + k, d = 2 + (k + 1) % 3;
    if (!prim::segments_meet(p, {0, 1}, {c, d})) continue;
    const ExactFraction s = fraction_at_edge(x, static_cast<std::size_t>(c), static_cast<std::size_t>(d));
    if (!first || compare(s, *first) < 0) first = s;
  }
  return *first;
}

}  // namespace

int compare(const ExactFraction& a, const ExactFraction& b) { return (a.num * b.den - b.num * a.den).sign(); }

ExactFraction exact_fraction(math::PlacedPoints& p, const ExactPoints& x) {
  const DyadicVec3 &a = x[2], n = cross(x[3] - a, x[4] - a);
  const Dyadic before = dot(n, x[0] - a), behind = dot(n, x[1] - a);
  if (before.is_zero() && behind.is_zero()) return fraction_in_plane(p, x);
  // The segment meets the triangle, so its ends are not strictly on one side, and the difference is not zero.
  return with_positive_denominator(before, before - behind);
}

FractionBounds fraction_bounds(const math::PlacedPoints& p) {
  // With heights h0 and h1 above the plane, of opposite signs or zero, s = |h0| / (|h0| + |h1|) increases with |h0| and
  // decreases with |h1|. Each height has an error of at most its estimate's bound. Below, sums, differences and the
  // quotient have a relative rounding error of less than 4 eps in all (sums and differences of doubles do not
  // underflow); the factor 1 +- 2^-50 covers that. Quotients below 2^-900, where the last factor could underflow,
  // become [0, 2^-900]. Overflow and NaN make `sum` not finite, and 0 / 0 fails both comparisons at the end: [0, 1], as
  // for a segment in the plane.
  const auto height = [&](int end) {
    return math::orient3d_estimate(p.approx(2), p.approx(3), p.approx(4), p.approx(end), p.error());
  };
  const math::Estimate h0 = height(0), h1 = height(1);
  const double x = std::fabs(h0.value), y = std::fabs(h1.value);
  const double sum = x + h0.bound + y + h1.bound;
  if (!(sum <= std::numeric_limits<double>::max())) return {};
  const double x_lo = std::max(0.0, x - h0.bound), x_hi = x + h0.bound;
  const double y_lo = std::max(0.0, y - h1.bound), y_hi = y + h1.bound;
  const double lo = x_lo / (x_lo + y_hi) * (1 - 0x1p-50), hi = x_hi / (x_hi + y_lo) * (1 + 0x1p-50);
  if (!(lo <= 1 && hi >= 0)) return {};
  constexpr double small = 0x1p-900;
  return {lo < small ? 0 : lo, std::min(1.0, std::max(hi, small))};
}

}  // namespace graze::engine::ray
