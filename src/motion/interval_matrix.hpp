// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>

#include <graze/math/interval.hpp>
#include <graze/math/vec3.hpp>

namespace graze::motion {

using IntervalVector = std::array<Interval, 3>;
using IntervalMatrix = std::array<Interval, 9>;  ///< row by row

inline IntervalVector enclose(const Vec3& v) { return {v.x, v.y, v.z}; }

inline IntervalVector operator+(const IntervalVector& a, const IntervalVector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline IntervalVector operator-(const IntervalVector& a, const IntervalVector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline IntervalVector operator*(const IntervalVector& a, const Interval& s) { return {a[0] * s, a[1] * s, a[2] * s}; }
inline Interval dot(const IntervalVector& a, const IntervalVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline IntervalVector cross(const IntervalVector& a, const IntervalVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Interval squared_length(const IntervalVector& a) { return sqr(a[0]) + sqr(a[1]) + sqr(a[2]); }
inline IntervalVector intersection(const IntervalVector& a, const IntervalVector& b) {
  return {intersection(a[0], b[0]), intersection(a[1], b[1]), intersection(a[2], b[2])};
}

inline IntervalVector operator*(const IntervalMatrix& m, const IntervalVector& x) {
  return {m[0] * x[0] + m[1] * x[1] + m[2] * x[2], m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
          m[6] * x[0] + m[7] * x[1] + m[8] * x[2]};
}
inline IntervalVector transposed_times(const IntervalMatrix& m, const IntervalVector& x) {
  return {m[0] * x[0] + m[3] * x[1] + m[6] * x[2], m[1] * x[0] + m[4] * x[1] + m[7] * x[2],
          m[2] * x[0] + m[5] * x[1] + m[8] * x[2]};
}
inline IntervalMatrix operator*(const IntervalMatrix& a, const IntervalMatrix& b) {
  IntervalMatrix r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return r;
}

/// A double near the midpoint, and a bound on the distance of the ends from it, rounded up.
inline double middle(const Interval& x) { return x.lo == x.hi ? x.lo : x.lo + 0.5 * (x.hi - x.lo); }
inline double radius(const Interval& x) {
  const double m = middle(x);
  const double r = std::max(x.hi - m, m - x.lo);
  return r == 0 ? 0 : next_up(r);
}
inline Vec3 middle(const IntervalVector& v) { return {middle(v[0]), middle(v[1]), middle(v[2])}; }
/// Of the Euclidean norm, rounded up generously.
template <std::size_t N>
double radius(const std::array<Interval, N>& v) {
  double sum = 0, largest = 0;
  for (const Interval& x : v) largest = std::max(largest, radius(x));
  if (largest == 0 || !(largest < 1e300)) return largest;
  for (const Interval& x : v) {
    const double r = radius(x) / largest;
    sum += r * r;
  }
  return largest * std::sqrt(sum) * (1 + 0x1p-40);
}

}  // namespace graze::motion
