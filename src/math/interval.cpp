// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>

#include <graze/math/interval.hpp>

namespace graze {
namespace {

constexpr double largest_argument = 0x1p30;
constexpr Interval full_range{-1.0, 1.0};

// pi/2 = a + b + c + d: the first three have 23 bits each, so that their products with a quarter-turn count below 2^30
// are exact; d encloses the rest to 2^-122.
constexpr double half_pi_a = 0x1.921fb4p+0;
constexpr double half_pi_b = 0x1.4442d0p-24;
constexpr double half_pi_c = 0x1.846980p-48;
constexpr Interval half_pi_d{0x1.3198a2e037073p-69, 0x1.3198a2e037074p-69};

/// x = quarter * pi/2 + rest with |rest| at most slightly above pi/4.
struct Reduced {
  std::int64_t quarter;
  Interval rest;
};

/// Requires |x| <= 2^30. The first subtraction is exact: both numbers are multiples of the smaller of their last
/// places, and the difference is below 65.
Reduced reduce(double x) {
  const double k = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
  Interval rest(x - k * half_pi_a);
  rest -= Interval(k * half_pi_b);
  rest -= Interval(k * half_pi_c);
  rest -= Interval(k) * half_pi_d;
  return {static_cast<std::int64_t>(k), rest};
}

/// 1 / n!, enclosed: n! is exactly a double, its reciprocal is rounded once.
constexpr Interval reciprocal(double factorial) {
  const double c = 1.0 / factorial;
  return {c * (1 - 0x1p-52), c * (1 + 0x1p-52)};
}

/// The Taylor series in y = x^2, highest term first, for y below 1. The terms alternate and shrink, so the remainder
/// lies between 0 and the first omitted term: between 0 and y / `next` times the last term kept.
template <int N>
Interval alternating(const Interval& y, const Interval (&coefficient)[N], double next) {
  Interval sum = coefficient[0] * (Interval(1.0) - hull(Interval(0.0), y / Interval(next)));
  for (int i = 1; i < N; ++i) sum = coefficient[i] - y * sum;
  return sum;
}

/// sin on |x| < 1: x - x^3 (1/3! - x^2 (1/5! - ...)).
Interval sin_near_zero(const Interval& x) {
  static constexpr Interval coefficient[] = {
      reciprocal(355687428096000.0), reciprocal(1307674368000.0), reciprocal(6227020800.0), reciprocal(39916800.0),
      reciprocal(362880.0),          reciprocal(5040.0),          reciprocal(120.0),        reciprocal(6.0)};
  const Interval y = sqr(x);
  return x - x * (y * alternating(y, coefficient, 18.0 * 19.0));
}

/// cos on |x| < 1: 1 - x^2 (1/2! - x^2 (1/4! - ...)).
Interval cos_near_zero(const Interval& x) {
  static constexpr Interval coefficient[] = {
      reciprocal(20922789888000.0), reciprocal(87178291200.0), reciprocal(479001600.0), reciprocal(3628800.0),
      reciprocal(40320.0),          reciprocal(720.0),         reciprocal(24.0),        Interval(0.5)};
  const Interval y = sqr(x);
  return Interval(1.0) - y * alternating(y, coefficient, 17.0 * 18.0);
}

/// sin(quarter * pi/2 + rest).
Interval sin_of(const Reduced& r) {
  const Interval value = r.quarter % 2 == 0 ? sin_near_zero(r.rest) : cos_near_zero(r.rest);
  const bool negative = ((r.quarter % 4) + 4) % 4 >= 2;
  return intersection(negative ? -value : value, full_range);
}

/// Is some integer in [first, last] equal to `residue` modulo 4?
bool has_residue(std::int64_t first, std::int64_t last, std::int64_t residue) {
  const std::int64_t step = (((residue - first) % 4) + 4) % 4;
  return first + step <= last;
}

/// sin(x + shift * pi/2).
Interval shifted_sin(const Interval& x, std::int64_t shift) {
  if (x.empty()) return Interval::nothing();
  if (!(x.lo >= -largest_argument && x.hi <= largest_argument)) return full_range;
  Reduced low = reduce(x.lo);
  low.quarter += shift;
  if (x.lo == x.hi) return sin_of(low);
  Reduced high = reduce(x.hi);
  high.quarter += shift;
  // The multiples of pi/2 that may lie inside the interval; sin has its extrema at the odd ones.
  const std::int64_t first = low.rest.lo <= 0 ? low.quarter : low.quarter + 1;
  const std::int64_t last = high.rest.hi >= 0 ? high.quarter : high.quarter - 1;
  Interval range = hull(sin_of(low), sin_of(high));
  if (has_residue(first, last, 1)) range.hi = 1.0;
  if (has_residue(first, last, 3)) range.lo = -1.0;
  return range;
}

}  // namespace

Interval sin(const Interval& x) { return shifted_sin(x, 0); }
Interval cos(const Interval& x) { return shifted_sin(x, 1); }

}  // namespace graze
