// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <graze/math/vec3.hpp>

#include "math/expansion.hpp"

namespace graze::math {

/// A number as the sum of two doubles, |lo| <= ulp(hi) / 2: about 106 bits.
///
/// With u = 2^-53, each operation below is right to 15 u^2 < 2^-102 of its result (Joldes, Muller and Popescu, "Tight
/// and rigorous error bounds for basic building blocks of double-word arithmetic", 2017: sums 3 u^2 + 13 u^3, products
/// 5 u^2, quotients 15 u^2 + 56 u^3), while no intermediate result overflows or vanishes: callers keep their numbers
/// between 2^-200 and 2^200 and multiply at most four of them; what cancels to less is below any bound relative to
/// those sizes. Not for comparisons of NaN: false.
struct DoubleDouble {
  double hi = 0, lo = 0;

  DoubleDouble() = default;
  DoubleDouble(double x) : hi(x) {}  // NOLINT: every double is one
  DoubleDouble(double h, double l) : hi(h), lo(l) {}
};

inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
inline DoubleDouble exact_sum(double a, double b) {
  DoubleDouble r;
  two_sum(a, b, r.hi, r.lo);
  return r;
}
inline DoubleDouble exact_product(double a, double b) {
  DoubleDouble r;
  two_product(a, b, r.hi, r.lo);
  return r;
}
inline DoubleDouble operator-(const DoubleDouble& x) { return {-x.hi, -x.lo}; }
inline DoubleDouble operator+(const DoubleDouble& x, const DoubleDouble& y) {
  const DoubleDouble s = exact_sum(x.hi, y.hi), t = exact_sum(x.lo, y.lo);
  const DoubleDouble v = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(v.hi, t.lo + v.lo);
}
inline DoubleDouble operator-(const DoubleDouble& x, const DoubleDouble& y) { return x + -y; }
inline DoubleDouble operator*(const DoubleDouble& x, double y) {
  const DoubleDouble p = exact_product(x.hi, y);
  return quick_two_sum(p.hi, p.lo + x.lo * y);
}
inline DoubleDouble operator*(const DoubleDouble& x, const DoubleDouble& y) {
  const DoubleDouble p = exact_product(x.hi, y.hi);
  return quick_two_sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}
inline DoubleDouble operator/(const DoubleDouble& x, const DoubleDouble& y) {
  const double first = x.hi / y.hi;
  const DoubleDouble rest = x - y * first;
  return quick_two_sum(first, rest.hi / y.hi);
}
inline bool operator<(const DoubleDouble& x, const DoubleDouble& y) {
  return x.hi < y.hi || (x.hi == y.hi && x.lo < y.lo);
}

struct DoubleDoubleVec3 {
  DoubleDouble x, y, z;

  DoubleDoubleVec3() = default;
  DoubleDoubleVec3(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}  // NOLINT: every vector is one
  DoubleDoubleVec3(const DoubleDouble& a, const DoubleDouble& b, const DoubleDouble& c) : x(a), y(b), z(c) {}
  Vec3 rounded() const { return {x.hi, y.hi, z.hi}; }
};
inline DoubleDoubleVec3 operator-(const DoubleDoubleVec3& a, const DoubleDoubleVec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline DoubleDoubleVec3 operator-(const DoubleDoubleVec3& a) { return {-a.x, -a.y, -a.z}; }
inline DoubleDoubleVec3 operator*(const DoubleDoubleVec3& a, const DoubleDouble& s) {
  return {a.x * s, a.y * s, a.z * s};
}
inline DoubleDouble dot(const DoubleDoubleVec3& a, const DoubleDoubleVec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline DoubleDoubleVec3 cross(const DoubleDoubleVec3& a, const DoubleDoubleVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace graze::math
