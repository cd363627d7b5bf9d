// SPDX-License-Identifier: MIT
#include "math/dyadic.hpp"

namespace graze::math {

namespace {

int bits(const BigInt& m) { return m.is_zero() ? 0 : static_cast<int>(msb(abs(m))) + 1; }

/// m * 2^e as a double, with the mantissa truncated to its top 64 bits.
double to_double(BigInt m, int e) {
  const int drop = bits(m) - 64;
  if (drop > 0) {
    m >>= drop;
    e += drop;
  }
  return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(m)), e);
}

}  // namespace

double ratio(const Dyadic& num, const Dyadic& den) {
  if (num.is_zero()) return 0;
  const BigInt n = abs(num.mantissa());
  const BigInt& d = den.mantissa();
  const int shift = std::max(0, 70 - (bits(n) - bits(d)));  // a quotient of at least 69 bits
  const BigInt q = (n << shift) / d;
  const double r = to_double(q, num.exponent() - den.exponent() - shift);
  return num.sign() < 0 ? -r : r;
}

double sqrt_ratio(const Dyadic& num, const Dyadic& den) {
  if (num.is_zero()) return 0;
  const BigInt& n = num.mantissa();
  const BigInt& d = den.mantissa();
  int shift = std::max(0, 140 - (bits(n) - bits(d)));  // a root of at least 69 bits
  if ((num.exponent() - den.exponent() - shift) % 2 != 0) ++shift;
  const BigInt root = sqrt(BigInt((n << shift) / d));
  return to_double(root, (num.exponent() - den.exponent() - shift) / 2);
}

}  // namespace graze::math
