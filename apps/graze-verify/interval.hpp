// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace verify {

/// The certificate is false, incomplete, or cannot be confirmed.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// More precise than double on most machines, so that statements which the library proved in double precision hold here
/// with a margin. Where it is not, only the margin is lost: every bound below takes its error from `epsilon` and `min`
/// of this type.
using Real = long double;
using Limits = std::numeric_limits<Real>;
static_assert(Limits::is_iec559 && std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0);

/// Input numbers are limited so that no product of a few of them overflows. With x87 or quadruple precision, no limit
/// is needed.
inline constexpr double largest_number = Limits::max_exponent >= 16384 ? DBL_MAX : 0x1p100;

/// A lower bound of the exact result. The error of a rounded result x is less than epsilon |x|, or less than `min` if
/// it underflowed.
inline Real below(Real x) { return x - (std::abs(x) * Limits::epsilon() + Limits::min()); }
inline Real above(Real x) { return x + (std::abs(x) * Limits::epsilon() + Limits::min()); }

/// The larger of two numbers; not a number if one of them is none, which std::max would forget.
inline Real larger(Real a, Real b) { return a != a ? a : b != b ? b : std::max(a, b); }

/// All real numbers from lo to hi.
struct Interval {
  Real lo = 0, hi = 0;
  Interval() = default;
  Interval(Real x) : lo(x), hi(x) {}
  Interval(Real low, Real high) : lo(low), hi(high) {}
  Real mid() const { return lo / 2 + hi / 2; }
  /// An upper bound of the distance of any number in the interval from `mid`.
  Real radius() const { return above(hi - lo); }
  Real magnitude() const { return std::max(std::abs(lo), std::abs(hi)); }
};

inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator+(const Interval& a, const Interval& b) { return {below(a.lo + b.lo), above(a.hi + b.hi)}; }
inline Interval operator-(const Interval& a, const Interval& b) { return {below(a.lo - b.hi), above(a.hi - b.lo)}; }
inline Interval operator*(const Interval& a, const Interval& b) {
  const Real p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {below(std::min(std::min(p, q), std::min(r, s))), above(std::max(std::max(p, q), std::max(r, s)))};
}
/// b must be positive.
inline Interval operator/(const Interval& a, const Interval& b) {
  if (!(b.lo > 0)) throw Rejected("a division by what may be zero");
  const Real p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
  return {below(std::min(p, q)), above(std::max(r, s))};
}
/// The square root of a number known to be non-negative, even if its lower bound is negative.
inline Interval root(const Interval& a) {
  return {std::max<Real>(0, below(std::sqrt(std::max<Real>(0, a.lo)))), above(std::sqrt(std::max<Real>(0, a.hi)))};
}

struct SinCos {
  Interval sin, cos;
};

/// Reduces the angle by a multiple k of pi/2, so that it is small enough for the series. Every integer k would be
/// correct; the nearest is the most accurate. The tail of an alternating series with decreasing terms lies between 0
/// and its first term.
inline SinCos sin_cos(const Interval& angle) {
  static const Real pi_half = 0x1.921fb544p0L;                     // its first 33 bits,
  static const Real pi_half_rest = 0x0.42d18469898cc51701b8p-32L;  // and the others, rounded
  if (!(angle.magnitude() < 0x1p22L)) throw Rejected("an angle of 2^22 or more");
  const Real k = std::floor(angle.mid() / pi_half + 0.5L);
  const Interval rest(below(pi_half_rest), above(pi_half_rest));
  const Interval x = k == 0 ? angle : (angle - Interval(k) * Interval(pi_half)) - Interval(k) * rest;
  if (!(x.magnitude() < 1)) throw Rejected("an angle too uncertain");
  const Interval square = x * x;
  Interval s(0, 1), c(0, 1);
  for (int i = 14; i-- > 0;) {
    s = Interval(1) - square * s / Interval(Real((2 * i + 2) * (2 * i + 3)));
    c = Interval(1) - square * c / Interval(Real((2 * i + 1) * (2 * i + 2)));
  }
  s = x * s;
  switch (static_cast<long>(k) & 3) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
  }
}

/// The angle in [0, pi/2] of the point (x, y); neither is negative, and not both are zero. The angle is halved four
/// times by tan(a/2) = tan(a) / (1 + sqrt(1 + tan(a)^2)), so that the series converges quickly.
inline Interval angle_of(const Interval& x, const Interval& y) {
  Interval t = y / (x + root(x * x + y * y));
  for (int i = 0; i < 3; ++i) t = t / (Interval(1) + root(Interval(1) + t * t));
  const Interval square = t * t;
  Interval sum(0, 1);
  for (int i = 20; i-- > 0;) sum = Interval(1) / Interval(Real(2 * i + 1)) - square * sum;
  return Interval(16) * t * sum;
}

/// The angle of a point that is not the origin, modulo full turns. It is measured from one of the four half axes within
/// a quarter turn, where the arc tangent increases with its argument.
inline Interval angle_around(const Interval& x, const Interval& y) {
  const bool flat = std::abs(x.mid()) >= std::abs(y.mid());
  const bool back = (flat ? x : y).mid() < 0;
  const Interval sign(back ? -1 : 1), u = sign * (flat ? x : y), v = sign * (flat ? y : -x), tangent = v / u;
  const auto arc = [](Real t) {
    const Interval a = angle_of(Interval(1), Interval(std::abs(t)));
    return t < 0 ? -a : a;
  };
  const Interval quarter = angle_of(Interval(0), Interval(1));
  return Interval(arc(tangent.lo).lo, arc(tangent.hi).hi) + Interval((flat ? 0 : 1) + (back ? 2 : 0)) * quarter;
}

/// The dot product a . b of numbers of magnitude at most 2^500. Tight even if the products cancel, and exactly [0, 0]
/// if the result is zero: every product and sum is kept with its rounding error, as a list of non-overlapping doubles
/// (Shewchuk's expansions).
inline Interval exact_dot(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  std::array<double, 8> list{};
  std::size_t count = 0;
  bool underflow = false;
  for (std::size_t i = 0; i < 4; ++i) {
    const double product = a[i] * b[i];
    underflow |= a[i] != 0 && b[i] != 0 && std::abs(product) < 0x1p-900;
    for (double more : {std::fma(a[i], b[i], -product), product}) {
      for (std::size_t j = 0; j < count; ++j) {
        const double sum = more + list[j], part = sum - more;
        list[j] = (more - (sum - part)) + (list[j] - part);
        more = sum;
      }
      list[count++] = more;
    }
  }
  Interval total;
  for (std::size_t j = 0; j < count; ++j) {
    if (list[j] != 0) total = total + Interval(list[j]);
  }
  return underflow ? total + Interval(-0x1p-1060L, 0x1p-1060L) : total;
}

using Vec = std::array<Interval, 3>;
using Mat = std::array<Vec, 3>;  // row-major

inline Vec vec(const double* p) { return {Interval(p[0]), Interval(p[1]), Interval(p[2])}; }
inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec operator*(const Interval& s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Interval dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Interval length(const Vec& a) { return root(dot(a, a)); }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec operator*(const Mat& m, const Vec& a) { return {dot(m[0], a), dot(m[1], a), dot(m[2], a)}; }
inline Mat transposed(const Mat& m) {
  return {Vec{m[0][0], m[1][0], m[2][0]}, Vec{m[0][1], m[1][1], m[2][1]}, Vec{m[0][2], m[1][2], m[2][2]}};
}
inline Mat operator*(const Mat& m, const Mat& n) {
  const Mat t = transposed(n);
  return {Vec{t * m[0]}, Vec{t * m[1]}, Vec{t * m[2]}};
}

}  // namespace verify
