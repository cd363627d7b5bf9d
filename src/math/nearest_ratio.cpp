// SPDX-License-Identifier: MIT
#include "math/nearest_ratio.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace graze::math {

namespace {

/// The number of bits of a positive number.
int width(const BigInt& m) { return static_cast<int>(msb(m)) + 1; }

}  // namespace

double nearest_ratio(const Dyadic& num, const Dyadic& den) {
  if (num.is_zero()) return 0;
  // q 2^e <= num / den < (q + 1) 2^e, with 64 bits in q; `inexact`: the quotient is not q itself.
  const int shift = 64 - (width(num.mantissa()) - width(den.mantissa()));
  const BigInt n = shift > 0 ? BigInt(num.mantissa() << shift) : num.mantissa();
  const BigInt d = shift < 0 ? BigInt(den.mantissa() << -shift) : den.mantissa();
  BigInt quotient, remainder;
  divide_qr(n, d, quotient, remainder);
  bool inexact = !remainder.is_zero();
  int e = num.exponent() - den.exponent() - shift;
  if (width(quotient) > 64) {  // 65 bits: one too many
    inexact = inexact || bit_test(quotient, 0);
    quotient >>= 1;
    ++e;
  }
  const auto q = static_cast<std::uint64_t>(quotient);
  // A double has 53 bits, and no bit below 2^-1074.
  const int size = static_cast<int>(std::bit_width(q)), kept_bits = std::min(53, size + e + 1074);
  if (kept_bits < 0) return 0;
  const int dropped_bits = size - kept_bits;  // at least 11, at most 64
  const std::uint64_t kept = dropped_bits < 64 ? q >> dropped_bits : 0, half = std::uint64_t{1} << (dropped_bits - 1);
  const std::uint64_t dropped = dropped_bits < 64 ? q & (2 * half - 1) : q;
  const bool up = dropped > half || (dropped == half && (inexact || (kept & 1) != 0));
  return std::ldexp(static_cast<double>(kept + (up ? 1 : 0)), e + dropped_bits);
}

}  // namespace graze::math
