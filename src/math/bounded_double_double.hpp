// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "math/double_double.hpp"

namespace graze::math {

/// A real number to about 100 bits: hi + lo is within `error` of it. Every operation bounds what it adds to the error,
/// so that a caller can tell whether a decision is certain.
///
/// For numbers of moderate size: nothing may exceed 2^900. Products that underflow lose less than 2^-1060, which is
/// part of the bound. Infinity and NaN in the error make every comparison `error < x` fail.
///
/// Bounds: with u = 2^-53, a sum is right to 3 u^2 + 13 u^3 relative, a product to 7 u^2 (see DoubleDouble). We take
/// 2^-103 = 8 u^2 and 2^-102; the rest, and the factor `outward`, cover the roundings of the bound itself: less than
/// ten, each below 2^-52 relative.
struct BoundedDoubleDouble : DoubleDouble {
  double error = 0;

  BoundedDoubleDouble() = default;
  explicit BoundedDoubleDouble(double x, double e = 0) : DoubleDouble(x), error(e) {}
  BoundedDoubleDouble(double h, double l, double e) : DoubleDouble(h, l), error(e) {}
  BoundedDoubleDouble(const DoubleDouble& x, double e) : DoubleDouble(x), error(e) {}

  static constexpr double outward = 1 + 0x1p-40;
  const DoubleDouble& value() const { return *this; }
};

inline BoundedDoubleDouble operator-(const BoundedDoubleDouble& a) { return {-a.value(), a.error}; }

inline BoundedDoubleDouble operator+(const BoundedDoubleDouble& a, const BoundedDoubleDouble& b) {
  const DoubleDouble r = a.value() + b.value();
  return {r, (a.error + b.error + 0x1p-103 * std::fabs(r.hi)) * BoundedDoubleDouble::outward};
}

inline BoundedDoubleDouble operator-(const BoundedDoubleDouble& a, const BoundedDoubleDouble& b) { return a + (-b); }

inline BoundedDoubleDouble operator*(const BoundedDoubleDouble& a, const BoundedDoubleDouble& b) {
  const DoubleDouble r = a.value() * b.value();
  return {r,
          (std::fabs(a.hi) * b.error + (std::fabs(b.hi) + b.error) * a.error + 0x1p-102 * std::fabs(r.hi) + 0x1p-1060) *
              BoundedDoubleDouble::outward};
}

/// The exact difference of two doubles.
inline BoundedDoubleDouble exact_difference(double a, double b) { return {exact_sum(a, -b), 0}; }

}  // namespace graze::math
