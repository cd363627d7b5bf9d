// SPDX-License-Identifier: MIT
#include "engine/elementary/coplanarity.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::elementary {
namespace {

using math::infinity;
using math::norm;

}  // namespace

Coplanarity::Coplanarity(const ElementaryQuery& q, const MovingDifference& d) {
  // The point that stays nearest to the origin, and its edges: of a face its own, of two edges both of them. Any point
  // is valid; the nearest has the smallest error.
  double least = infinity;
  std::size_t i = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(d.n); ++k) {
    const double far = dot(d.at[k], d.at[k]) + dot(d.displacement[k], d.displacement[k]);
    if (!(far < least)) continue;
    least = far;
    i = k;
  }
  // Edges are computed from the points themselves: rounded once, however far apart the features are.
  const bool edges = d.n == 4;
  const std::array<std::size_t, 2> u_ends = edges ? std::array{1 - i / 2, i / 2} : std::array{1 + i, 1 + (i + 1) % 3};
  const std::array<std::size_t, 2> v_ends =
      edges ? std::array{2 + i % 2, 3 - i % 2} : std::array{1 + i, 1 + (i + 2) % 3};
  const Vec3 p = d.at[i], u = q.start[u_ends[0]] - q.start[u_ends[1]], v = q.start[v_ends[0]] - q.start[v_ends[1]];
  const Vec3 dp = d.displacement[i], du = (q.end[u_ends[0]] - q.end[u_ends[1]]) - u,
             dv = (q.end[v_ends[0]] - q.end[v_ends[1]]) - v;
  // u x v = n0 + n1 t + n2 t^2
  n_ = {cross(u, v), cross(du, v) + cross(u, dv), cross(du, dv)};
  c_ = {dot(p, n_[0]), dot(dp, n_[0]) + dot(p, n_[1]), dot(dp, n_[1]) + dot(p, n_[2]), dot(dp, n_[2])};
  // p, u and v are rounded once, their displacements three times more, relative to sums of lengths such as |p| + |dp|.
  // So a determinant has an error of less than 16 eps of the product of three such sums (eps = 2^-53), a coefficient,
  // with up to three of them, less than 50, and values computed from the four some 20 more. The root bounds the sums.
  //
  // Range: lengths are at most 2^122 (answer.cpp scales others), so nothing overflows. Where squares, or their
  // products, have lost digits, lengths are bounded by their largest coordinates and multiplied one by one. Products
  // that underflow lose less than 2^-1074 times such a length each.
  const auto square = [](const Vec3& a, const Vec3& b) { return dot(a, a) + dot(b, b); };
  const double of_p = square(p, dp), of_u = square(u, du), of_v = square(v, dv), two = 8 * of_p * of_u;
  constexpr double kept = 0x1p-960;
  double size = std::sqrt(two * of_v);
  if (!(of_p > kept && of_u > kept && of_v > kept && two > kept && two * of_v > kept)) {
    const auto bound = [](const Vec3& a, const Vec3& b) { return 4 * std::max(math::largest(a), math::largest(b)); };
    size = bound(p, dp) * bound(u, du) * bound(v, dv);
  }
  error_ = 128 * 0x1p-53 * size + 0x1p-900;
}

// |f| is the distance from the plane times the length of the normal, whose own error is far below what the factor 2
// covers.
bool Coplanarity::starts_beyond(double distance) const {
  return std::fabs(c_[0]) > 2 * distance * norm(n_[0]) + 2 * error_;
}

double Coplanarity::normal_at(double t) const { return norm((n_[2] * t + n_[1]) * t + n_[0]); }

double Coplanarity::safe_until(double t, double near) const {
  if (!(std::fabs(value(t)) > 2 * error_)) return t;
  const double root = first_root(t);
  if (!(root <= 1)) {
    if (never_zero(t, 1, 4)) return infinity;
    return walk(t, 1);
  }
  double back = std::max(2 * error_, near * normal_at(root)) / std::fabs(slope(root));
  for (int i = 0; i < 2 && root - back > t; ++i, back *= 4)
    if (never_zero(t, root - back, 4)) return root - back;
  return walk(t, root);
}

/// True if the Bernstein coefficients of f on [lo, hi] all have the same sign and exceed the error: f lies between
/// them.
bool Coplanarity::one_sign(double lo, double hi) const {
  const double third = (hi - lo) * (1.0 / 3), f0 = value(lo), f3 = value(hi);
  const double f1 = f0 + slope(lo) * third, f2 = f3 - slope(hi) * third;
  const double least = std::min(std::min(f0, f1), std::min(f2, f3)),
               most = std::max(std::max(f0, f1), std::max(f2, f3));
  return least > error_ || most < -error_;
}

bool Coplanarity::never_zero(double lo, double hi, int depth) const {
  if (one_sign(lo, hi)) return true;
  if (depth == 0) return false;
  const double mid = lo + 0.5 * (hi - lo), f = value(mid);
  if (!(f > error_ || f < -error_)) return false;
  return never_zero(lo, mid, depth - 1) && never_zero(mid, hi, depth - 1);
}

/// Where f only just touches zero, or nearly so, a step to a root does not help: advance by intervals that double if
/// they are certified and halve if not. Towards a double root they shrink by a constant factor.
double Coplanarity::walk(double t, double end) const {
  double h = 0.5 * (end - t);
  for (int i = 0; i < 64; ++i) {
    const double to = std::min(t + h, end);
    if (!(to > t)) break;
    if (one_sign(t, to)) {
      t = to;
      if (t >= end) return end >= 1 ? infinity : end;
      h *= 2;
    } else {
      h *= 0.25;
    }
  }
  return t;
}

/// A cubic is monotonic between its extrema: the root is in the first interval with a sign change.
double Coplanarity::first_root(double t) const {
  double ends[3];
  int n = 0;
  const double a = 3 * c_[3], b = c_[2], c = c_[1], disc = b * b - a * c;
  if (disc > 0) {
    const double q = -(b + std::copysign(std::sqrt(disc), b));
    for (const double e : {q / a, c / q})
      if (e > t && e < 1) ends[n++] = e;
    if (n == 2 && ends[0] > ends[1]) std::swap(ends[0], ends[1]);
  }
  ends[n++] = 1;
  double lo = t, f_lo = value(lo);
  for (int i = 0; i < n; ++i) {
    const double hi = ends[i], f_hi = value(hi);
    if ((f_lo > 0) != (f_hi > 0) || f_hi == 0) return root_in(lo, f_lo, hi, f_hi);
    lo = hi;
    f_lo = f_hi;
  }
  return infinity;
}

/// Newton's method, safeguarded by a bracket: if a step would leave the bracket, or converges slowly, the bracket is
/// bisected.
double Coplanarity::root_in(double lo, double f_lo, double hi, double f_hi) const {
  double x = lo - f_lo * (hi - lo) / (f_hi - f_lo);
  for (int i = 0; i < 60; ++i) {
    if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
    const double f = value(x);
    if (std::fabs(f) <= 0.125 * error_) break;
    if ((f > 0) == (f_lo > 0))
      lo = x;
    else
      hi = x;
    if (!(hi - lo > 1e-15)) break;
    const double next = x - f / slope(x);
    x = i > 8 && i % 2 ? 0.5 * (lo + hi) : next;
  }
  return x;
}

}  // namespace graze::engine::elementary
