// SPDX-License-Identifier: MIT
// Numbers for the oracles of moving bodies: long doubles, and intervals of them with explicit outward rounding (every
// result is widened by more than the rounding error of one operation), so that nothing depends on the rounding mode.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <graze/math/vec3.hpp>

namespace graze::oracle {

using Real = long double;

/// A closed interval that contains every real result of the operation on its arguments.
struct Range {
  Real lo = 0, hi = 0;
  Range() = default;
  Range(Real x) : lo(x), hi(x) {}  // NOLINT: a number is an interval
  Range(Real l, Real h) : lo(l), hi(h) {}
  Real width() const { return hi - lo; }
  Real middle() const { return (lo + hi) / 2; }
};

/// Wider than half a unit in the last place, and than the error of sinl and cosl (below one unit in glibc).
inline Range widened(Real lo, Real hi) {
  constexpr Real eps = 4 * std::numeric_limits<Real>::epsilon(), tiny = std::numeric_limits<Real>::min();
  return {lo - std::fabs(lo) * eps - tiny, hi + std::fabs(hi) * eps + tiny};
}
inline Range operator+(const Range& a, const Range& b) { return widened(a.lo + b.lo, a.hi + b.hi); }
inline Range operator-(const Range& a, const Range& b) { return widened(a.lo - b.hi, a.hi - b.lo); }
inline Range operator-(const Range& a) { return {-a.hi, -a.lo}; }
inline Range operator*(const Range& a, const Range& b) {
  const Real p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return widened(std::min({p[0], p[1], p[2], p[3]}), std::max({p[0], p[1], p[2], p[3]}));
}

inline Real sine(Real x) { return std::sin(x); }
inline Real cosine(Real x) { return std::cos(x); }
/// Cosine falls from 1 at 2 k pi to -1 at (2 k + 1) pi.
inline Range cosine(const Range& x) {
  const Real pi = std::acos(Real(-1));
  const Real a = std::cos(x.lo), b = std::cos(x.hi);
  Real lo = std::min(a, b), hi = std::max(a, b);
  // A margin of 1e-15 of a half turn only makes the result wider.
  const Real from = x.lo / pi - 1e-15L * (1 + std::fabs(x.lo)), to = x.hi / pi + 1e-15L * (1 + std::fabs(x.hi));
  const Real first = std::ceil(from);
  const bool even = std::fmod(std::fabs(first), Real(2)) < Real(0.5);
  if (first <= to && even) hi = 1;
  if (first <= to && !even) lo = -1;
  if (first + 1 <= to) lo = -1, hi = 1;
  return widened(lo, hi);
}
inline Range sine(const Range& x) {
  // Increasing between -pi/2 and pi/2; tiny angles keep their relative precision, which screws with distant axes need.
  if (x.lo > -1.5L && x.hi < 1.5L) return widened(std::sin(x.lo), std::sin(x.hi));
  // sin x = cos(x - pi/2); the rounding error of pi/2 is within the margin that widens the difference.
  const Real half = std::acos(Real(-1)) / 2;
  const Real slack = 8 * std::numeric_limits<Real>::epsilon() * (1 + std::max(std::fabs(x.lo), std::fabs(x.hi)));
  return cosine(Range(x.lo - half - slack, x.hi - half + slack));
}

/// Three numbers of any kind.
template <class T>
struct Triple {
  T x{}, y{}, z{};
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
using RealPoint = Triple<Real>;
template <class T>
Triple<T> operator+(const Triple<T>& a, const Triple<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Triple<T> operator-(const Triple<T>& a, const Triple<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Triple<T> operator*(const Triple<T>& a, const T& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
T dot(const Triple<T>& a, const Triple<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Triple<T> cross(const Triple<T>& a, const Triple<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real length(const RealPoint& a) { return std::sqrt(dot(a, a)); }
inline RealPoint real(const Vec3& v) { return {v.x, v.y, v.z}; }
template <class T>
Triple<T> as(const RealPoint& p) {
  return {T(p.x), T(p.y), T(p.z)};
}

/// 3x3, row-major.
template <class T>
struct Matrix {
  std::array<T, 9> m{};
  Triple<T> operator*(const Triple<T>& x) const {
    return {m[0] * x.x + m[1] * x.y + m[2] * x.z, m[3] * x.x + m[4] * x.y + m[5] * x.z,
            m[6] * x.x + m[7] * x.y + m[8] * x.z};
  }
  Matrix operator*(const Matrix& o) const {
    Matrix p;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        p.m[3 * i + j] = m[3 * i] * o.m[j] + m[3 * i + 1] * o.m[3 + j] + m[3 * i + 2] * o.m[6 + j];
    return p;
  }
  Matrix operator+(const Matrix& o) const {
    Matrix p;
    for (std::size_t i = 0; i < 9; ++i) p.m[i] = m[i] + o.m[i];
    return p;
  }
  Matrix operator*(const T& s) const {
    Matrix p;
    for (std::size_t i = 0; i < 9; ++i) p.m[i] = m[i] * s;
    return p;
  }
};

}  // namespace graze::oracle
