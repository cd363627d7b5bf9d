// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <graze/core/export.hpp>
#include <graze/core/portability.hpp>

namespace graze {

/// All real numbers from lo to hi; lo > hi is the empty set, and an infinite end means "unbounded on that side". Every
/// operation returns an interval that contains the exact result for every choice of numbers in its operands, and whose
/// ends are exact wherever the exact ends are doubles. The rounding mode is never changed: the rounding error is
/// computed, and an end is moved outward to the next double if the error is not zero. Requires round-to-nearest mode.
struct Interval {
  double lo = 0;
  double hi = 0;

  constexpr Interval() = default;
  constexpr Interval(double x) : lo(x), hi(x) {}
  constexpr Interval(double l, double h) : lo(l), hi(h) {}

  static constexpr Interval whole() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  static constexpr Interval nothing() {
    return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  }

  constexpr bool empty() const { return lo > hi; }
  constexpr bool contains(double x) const { return lo <= x && x <= hi; }
  constexpr bool contains(const Interval& x) const { return x.empty() || (lo <= x.lo && x.hi <= hi); }
  constexpr bool overlaps(const Interval& x) const { return lo <= x.hi && x.lo <= hi && !empty() && !x.empty(); }
  /// The largest distance from zero; 0 for the empty set.
  constexpr double magnitude() const { return empty() ? 0.0 : std::max(lo < 0 ? -lo : lo, hi < 0 ? -hi : hi); }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// The next double towards +infinity (-infinity): bit operations, no rounding mode, no libm.
inline double next_up(double x) {
  if (!(x < std::numeric_limits<double>::infinity())) return x;  // infinity, NaN
  if (x == 0) return std::numeric_limits<double>::denorm_min();
  const auto bits = core::bit_cast<std::int64_t>(x);
  return core::bit_cast<double>(bits + (x > 0 ? 1 : -1));
}
inline double next_down(double x) { return -next_up(-x); }

namespace rounding {

// Below this magnitude the error of a product may itself be too small for a double; then the end is always moved
// outward.
inline constexpr double exact_error_limit = 0x1p-960;

/// Rounds down: `result` was computed in round-to-nearest, and `error` has the sign of exact - result.
inline double settle_down(double result, double error) { return error >= 0 ? result : next_down(result); }

/// For results that are not finite: a positive overflow of finite numbers rounds down to the largest double, and a NaN
/// gives no bound.
inline double settle_down_special(double result, bool from_infinity) {
  if (std::isnan(result)) return -std::numeric_limits<double>::infinity();
  return result > 0 && !from_infinity ? std::numeric_limits<double>::max() : result;
}

inline double add_down(double a, double b) {
  const double s = a + b;
  if (!std::isfinite(s)) return settle_down_special(s, std::isinf(a) || std::isinf(b));
  const double bb = s - a;
  return settle_down(s, (a - (s - bb)) + (b - bb));
}

inline double multiply_down(double a, double b) {
  if (a == 0 || b == 0) return 0;  // also 0 times an unbounded end: the numbers themselves are finite
  const double p = a * b;
  if (!std::isfinite(p)) return settle_down_special(p, std::isinf(a) || std::isinf(b));
  if (std::fabs(p) < exact_error_limit) return next_down(p);
  return settle_down(p, std::fma(a, b, -p));
}

/// b is not zero.
inline double divide_down(double a, double b) {
  if (a == 0) return 0;
  const double q = a / b;
  if (!std::isfinite(q)) return settle_down_special(q, std::isinf(a));
  if (std::isinf(b)) return q;  // an unbounded divisor: the quotient comes arbitrarily close to 0
  if (std::fabs(q) < exact_error_limit || std::fabs(a) < exact_error_limit) return next_down(q);
  const double rest = std::fma(-q, b, a);
  return settle_down(q, b > 0 ? rest : -rest);
}

/// x is not negative.
inline double sqrt_down(double x) {
  const double r = std::sqrt(x);
  if (x == 0 || std::isinf(x)) return r;
  if (x < exact_error_limit) return next_down(r);
  return settle_down(r, std::fma(-r, r, x));
}

inline double sqrt_up(double x) {
  const double r = std::sqrt(x);
  if (x == 0 || std::isinf(x)) return r;
  if (x < exact_error_limit) return next_up(r);
  return std::fma(-r, r, x) <= 0 ? r : next_up(r);
}

// Round-to-nearest is symmetric, so rounding up is rounding the negated operation down.
inline double add_up(double a, double b) { return -add_down(-a, -b); }
inline double multiply_up(double a, double b) { return -multiply_down(-a, b); }
inline double divide_up(double a, double b) { return -divide_down(-a, b); }

inline bool is_nan(const Interval& a) { return std::isnan(a.lo) || std::isnan(a.hi); }

}  // namespace rounding

inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }

inline Interval operator+(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty()) return Interval::nothing();
  return {rounding::add_down(a.lo, b.lo), rounding::add_up(a.hi, b.hi)};
}

inline Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }

inline Interval operator*(const Interval& a, const Interval& b) {
  using namespace rounding;
  if (a.empty() || b.empty()) return Interval::nothing();
  if (is_nan(a) || is_nan(b)) return Interval::whole();
  if (a.lo >= 0) {
    return {multiply_down(b.lo >= 0 ? a.lo : a.hi, b.lo), multiply_up(b.hi >= 0 ? a.hi : a.lo, b.hi)};
  }
  if (a.hi <= 0) {
    return {multiply_down(b.hi >= 0 ? a.lo : a.hi, b.hi), multiply_up(b.lo >= 0 ? a.hi : a.lo, b.lo)};
  }
  if (b.lo >= 0) return {multiply_down(a.lo, b.hi), multiply_up(a.hi, b.hi)};
  if (b.hi <= 0) return {multiply_down(a.hi, b.lo), multiply_up(a.lo, b.lo)};
  return {std::min(multiply_down(a.lo, b.hi), multiply_down(a.hi, b.lo)),
          std::max(multiply_up(a.lo, b.lo), multiply_up(a.hi, b.hi))};
}

/// A divisor that contains 0 gives the whole line.
inline Interval operator/(const Interval& a, const Interval& b) {
  using namespace rounding;
  if (a.empty() || b.empty()) return Interval::nothing();
  if (is_nan(a) || is_nan(b) || b.contains(0.0)) return Interval::whole();
  if (b.hi < 0) return (-a) / (-b);
  return {divide_down(a.lo, a.lo >= 0 ? b.hi : b.lo), divide_up(a.hi, a.hi >= 0 ? b.lo : b.hi)};
}

inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
inline Interval& operator-=(Interval& a, const Interval& b) { return a = a - b; }
inline Interval& operator*=(Interval& a, const Interval& b) { return a = a * b; }
inline Interval& operator/=(Interval& a, const Interval& b) { return a = a / b; }

inline Interval abs(const Interval& a) {
  if (a.lo >= 0 || a.empty()) return a;
  if (a.hi <= 0) return -a;
  return {0, std::max(-a.lo, a.hi)};
}

/// a * a where both factors are the same number: never negative.
inline Interval sqr(const Interval& a) {
  const Interval m = abs(a);
  return m * m;
}

/// The square roots of the non-negative numbers in `a`; empty if there are none.
inline Interval sqrt(const Interval& a) {
  if (rounding::is_nan(a)) return Interval::whole();
  if (a.empty() || a.hi < 0) return Interval::nothing();
  return {a.lo <= 0 ? 0.0 : rounding::sqrt_down(a.lo), rounding::sqrt_up(a.hi)};
}

inline Interval hull(const Interval& a, const Interval& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

inline Interval intersection(const Interval& a, const Interval& b) {
  const Interval r{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return r.empty() ? Interval::nothing() : r;
}

/// In radians. Computed without libm, so the result is bitwise identical on every processor. Beyond |x| = 2^30 the
/// result is [-1, 1].
GRAZE_API Interval sin(const Interval& x);
GRAZE_API Interval cos(const Interval& x);

}  // namespace graze
