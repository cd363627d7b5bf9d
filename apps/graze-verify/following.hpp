// SPDX-License-Identifier: MIT
#pragma once

#include "features.hpp"

namespace verify {

/// Bernstein coefficients, each times its binomial, of a polynomial on an interval: products are convolutions.
template <class Number>
using Coefficients = std::vector<Number>;
template <class Number>
using VectorCoefficients = std::vector<Vector<Number>>;

template <class Out, class A, class B, class Multiply>
std::vector<Out> convolved(const std::vector<A>& a, const std::vector<B>& b, Multiply multiply) {
  std::vector<Out> c(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) multiply(c[i + j], a[i], b[j]);
  return c;
}
template <class Number>
Coefficients<Number> product(const VectorCoefficients<Number>& a, const VectorCoefficients<Number>& b) {
  return convolved<Number>(
      a, b, [](Number& sum, const Vector<Number>& x, const Vector<Number>& y) { sum = sum + product(x, y); });
}
template <class Number>
Coefficients<Number> product(const Coefficients<Number>& a, const Coefficients<Number>& b) {
  return convolved<Number>(a, b, [](Number& sum, const Number& x, const Number& y) { sum = sum + x * y; });
}
template <class Number>
VectorCoefficients<Number> product(const VectorCoefficients<Number>& a, const Coefficients<Number>& b) {
  return convolved<Vector<Number>>(a, b, [](Vector<Number>& sum, const Vector<Number>& x, const Number& y) {
    for (std::size_t k = 0; k < 3; ++k) sum[k] = sum[k] + x[k] * y;
  });
}
template <class Number>
VectorCoefficients<Number> perpendicular(const VectorCoefficients<Number>& a, const VectorCoefficients<Number>& b) {
  return convolved<Vector<Number>>(a, b, [](Vector<Number>& sum, const Vector<Number>& x, const Vector<Number>& y) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
      sum[k] = sum[k] + (x[l] * y[m] - x[m] * y[l]);
    }
  });
}
template <class Number>
Coefficients<Number> sum(Coefficients<Number> a, const Coefficients<Number>& b, const Number& factor) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = a[k] + b[k] * factor;
  return a;
}
/// The same polynomial as one of the degree that `size` coefficients have.
template <class Number>
Coefficients<Number> raised(Coefficients<Number> a, std::size_t size) {
  while (a.size() < size) a = product(a, Coefficients<Number>{Number(1.0), Number(1.0)});
  return a;
}

/// True if all points of the first feature stay further than `keep` from all of the second between t0 and t1, by a
/// direction n(t) that follows two parts of them: those that the bits of `parts` name, point i by bit i. With r the
/// difference of one point of each, and e, or u and v, the edges of the parts, n is
///   * r for two points: then |n|^2 = r.r;
///   * e x (r x e) for a point and an edge: then |n|^2 = (e.e) (n.r);
///   * u x v for a point and a face, or for two edges.
/// For every difference d of points, n.d > keep |n| is confirmed without a root, by 2 a b <= a^2 + b^2:
///   2 n.d > keep^2 + r.r,   2 n.d > keep^2 e.e + n.r,   2 (n.r) (n.d) > keep^2 n.n + (n.r)^2.
/// (The last for d = r includes n.r != 0; if n.r < 0, it is a statement about -n.) All are polynomials, positive if
/// their Bernstein coefficients are.
template <class Number>
bool keeps(const Features& f, std::size_t parts, double t0, double t1, double keep) {
  const auto p = f.at<Number>(t0), q = f.at<Number>(t1);
  const auto between = [&](std::size_t i, std::size_t j) {
    return VectorCoefficients<Number>{minus(p[i], p[j]), minus(q[i], q[j])};
  };
  std::vector<std::size_t> first, second;
  for (std::size_t i = 0; i < 4; ++i)
    if (parts >> i & 1) (i < f.firsts ? first : second).push_back(i);
  if (first.empty() || second.empty() || parts > 15) return false;
  const VectorCoefficients<Number> r = between(first[0], second[0]);
  std::vector<VectorCoefficients<Number>> edges;
  for (const auto* part : {&first, &second})
    for (std::size_t i = 1; i < part->size(); ++i) edges.push_back(between((*part)[i], (*part)[0]));
  if (edges.size() > 2) return false;
  const Number keep2 = Number(keep) * Number(keep);
  VectorCoefficients<Number> n = r;
  Coefficients<Number> bound, factor{Number(1.0)};
  if (edges.empty()) {
    bound = sum(product(r, r), raised(Coefficients<Number>{Number(1.0)}, 3), keep2);
  } else if (edges.size() == 1) {
    const VectorCoefficients<Number>& e = edges[0];
    const Coefficients<Number> square = product(e, e);
    n = product(r, square);
    const VectorCoefficients<Number> along = product(e, product(r, e));
    for (std::size_t k = 0; k < n.size(); ++k) n[k] = minus(n[k], along[k]);
    bound = sum(product(n, r), raised(square, 5), keep2);
  } else {
    n = perpendicular(edges[0], edges[1]);
    factor = product(n, r);
    bound = sum(product(factor, factor), raised(product(n, n), 7), keep2);
  }
  for (std::size_t i = 0; i < f.firsts; ++i)
    for (std::size_t j = f.firsts; j < 4; ++j) {
      const Coefficients<Number> beyond = product(factor, product(n, between(i, j)));
      for (std::size_t k = 0; k < beyond.size(); ++k)
        if (!positive(Number(2.0) * beyond[k] - bound[k])) return false;
    }
  return true;
}

/// By intervals, on parts into which the time is bisected, at most `budget` of them; else in exact arithmetic.
inline bool keeps_on_parts(const Features& f, std::size_t parts, double t0, double t1, double keep, int& budget) {
  if (keeps<Interval>(f, parts, t0, t1, keep)) return true;
  const double middle = t0 + (t1 - t0) / 2;
  if (--budget < 0 || !(t0 < middle && middle < t1)) return false;
  return keeps_on_parts(f, parts, t0, middle, keep, budget) && keeps_on_parts(f, parts, middle, t1, keep, budget);
}
inline bool certainly_keeps(const Features& f, std::size_t parts, double t0, double t1, double keep, int& budget) {
  return keeps_on_parts(f, parts, t0, t1, keep, budget) || keeps<Exact>(f, parts, t0, t1, keep);
}

}  // namespace verify
