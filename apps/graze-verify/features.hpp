// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "exact.hpp"
#include "interval.hpp"

namespace verify {

using Point = std::array<double, 3>;

/// True if the number is certainly positive. For intervals both ends must be positive; exact numbers always have a
/// sign.
inline bool positive(const Interval& x) { return x.lo > 0; }
inline bool positive(const Exact& x) { return x.sign() > 0; }

/// `x` is the dot product of a direction n and a difference of points; `square` is n . n. True if the projection of the
/// difference on n is certainly longer than `keep`: x > keep |n|.
template <class Number>
bool exceeds(const Number& x, const Number& square, double keep) {
  return positive(x) && (keep == 0 || positive(x * x - Number(keep) * Number(keep) * square));
}

/// True if x > keep (|m0| + |m1|), where `square0` and `square1` are m0 . m0 and m1 . m1: the square of the right side
/// is keep^2 (square0 + square1) and twice the root of keep^4 square0 square1.
template <class Number>
bool exceeds_both(const Number& x, const Number& square0, const Number& square1, double keep) {
  if (!positive(x) || keep == 0) return positive(x);
  const Number keep2 = Number(keep) * Number(keep), rest = x * x - keep2 * (square0 + square1);
  return positive(rest) && positive(rest * rest - Number(4.0) * keep2 * keep2 * square0 * square1);
}

template <class Number>
using Vector = std::array<Number, 3>;
template <class Number>
Vector<Number> minus(const Vector<Number>& a, const Vector<Number>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class Number>
Number product(const Vector<Number>& a, const Vector<Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Number>
Number determinant(const Vector<Number>& a, const Vector<Number>& b, const Vector<Number>& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}
template <class Number>
Vector<Number> vector_of(const Point& p) {
  return {Number(p[0]), Number(p[1]), Number(p[2])};
}

/// Two features whose points move on straight lines, given at t = 0 and at t = 1. The first `firsts` points belong to
/// the first feature.
struct Features {
  std::array<Point, 4> start, end;
  std::size_t firsts;

  template <class Number>
  std::array<Vector<Number>, 4> at(double t) const {
    std::array<Vector<Number>, 4> p;
    const Number later(t), sooner = Number(1.0) - later;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 3; ++k) p[i][k] = Number(start[i][k]) * sooner + Number(end[i][k]) * later;
    return p;
  }
};

/// True if the first feature's points are always beyond the second's along a direction that is interpolated linearly
/// from n0 at t0 to n1 at t1. The dot product of the direction and a difference of points is a quadratic in t with the
/// Bernstein coefficients computed here (the middle one doubled); if they are positive, so is the quadratic. With a
/// distance `keep`, the first and the last must exceed it times the length of n0 and n1, the middle one times the mean
/// of both: the length of the direction is convex in t, so in between it is at most the interpolated one.
template <class Number>
bool beyond(const Features& f, const Point& n0, double t0, const Point& n1, double t1, double keep) {
  const auto p = f.at<Number>(t0), q = f.at<Number>(t1);
  const auto m0 = vector_of<Number>(n0), m1 = vector_of<Number>(n1);
  const Number square0 = product(m0, m0), square1 = product(m1, m1);
  for (std::size_t i = 0; i < f.firsts; ++i)
    for (std::size_t j = f.firsts; j < 4; ++j) {
      const auto d0 = minus(p[i], p[j]), d1 = minus(q[i], q[j]);
      const Number middle = product(m0, d1) + product(m1, d0);
      if (!exceeds(product(m0, d0), square0, keep) || !exceeds(product(m1, d1), square1, keep)) return false;
      if (!exceeds_both(middle, square0, square1, keep)) return false;
    }
  return true;
}

/// The determinant that is zero if and only if the four points are coplanar is a cubic in t. True if its Bernstein
/// coefficients from t0 to t1 (the middle ones tripled) have one sign.
template <class Number>
bool never_in_plane(const Features& f, double t0, double t1) {
  std::array<std::array<Vector<Number>, 4>, 2> p{f.at<Number>(t0), f.at<Number>(t1)};
  std::array<std::array<Vector<Number>, 3>, 2> d;
  for (std::size_t end = 0; end < 2; ++end)
    for (std::size_t k = 0; k < 3; ++k) d[end][k] = minus(p[end][k + 1], p[end][0]);
  std::array<Number, 4> b;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 2; ++k) b[i + j + k] = b[i + j + k] + determinant(d[i][0], d[j][1], d[k][2]);
  const bool above = positive(b[0]);
  for (const Number& x : b)
    if (!positive(above ? x : -x)) return false;
  return true;
}

/// Uses interval arithmetic, and exact arithmetic if that does not decide.
inline bool certainly_beyond(const Features& f, const Point& n0, double t0, const Point& n1, double t1, double keep) {
  return beyond<Interval>(f, n0, t0, n1, t1, keep) || beyond<Exact>(f, n0, t0, n1, t1, keep);
}

/// Bisects the time interval if the coefficients do not decide. `budget` limits the number of bisections; when it is
/// used up, the result is false.
inline bool certainly_never_in_plane(const Features& f, double t0, double t1, int& budget) {
  if (never_in_plane<Interval>(f, t0, t1) || never_in_plane<Exact>(f, t0, t1)) return true;
  const double middle = t0 + (t1 - t0) / 2;
  if (--budget < 0 || !(t0 < middle && middle < t1)) return false;
  return certainly_never_in_plane(f, t0, middle, budget) && certainly_never_in_plane(f, middle, t1, budget);
}

inline int side_of(const Point& a, const Point& b, const Point& c, const Point& d) {
  const auto from = [&](const Point& p) { return minus(vector_of<Interval>(p), vector_of<Interval>(a)); };
  const Interval quick = determinant(from(b), from(c), from(d));
  if (quick.lo > 0) return 1;
  if (quick.hi < 0) return -1;
  const auto exactly = [&](const Point& p) { return minus(vector_of<Exact>(p), vector_of<Exact>(a)); };
  return determinant(exactly(b), exactly(c), exactly(d)).sign();
}

/// True if the ends of edge p q lie strictly on opposite sides of the triangle's plane and the edge passes through the
/// triangle.
inline bool pierces(const Point& p, const Point& q, const Point& a, const Point& b, const Point& c) {
  if (side_of(a, b, c, p) * side_of(a, b, c, q) >= 0) return false;
  const int x = side_of(p, q, a, b), y = side_of(p, q, b, c), z = side_of(p, q, c, a);
  return std::min({x, y, z}) >= 0 || std::max({x, y, z}) <= 0;
}

}  // namespace verify
