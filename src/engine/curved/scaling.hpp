// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include <graze/core/portability.hpp>
#include <graze/math/vec3.hpp>

namespace graze::engine::curved {

/// The least e for which a coordinate of this size is at most 2^e; 0 for 0. A sum of sizes that overflowed is infinite:
/// the sizes themselves are below 2^1024.
inline int exponent_of(double largest) {
  const auto field = core::bit_cast<std::uint64_t>(largest) >> 52;
  if (field > 0 && field < 2047) return static_cast<int>(field) - 1022;  // normal: as frexp says
  if (!std::isfinite(largest)) return 1026;
  int e = 0;
  std::frexp(largest, &e);
  return largest > 0 ? e : 0;
}

/// 2^exponent, for exponents between -1000 and 1000; ldexp takes several times as long.
inline double power_of_two(int exponent) {
  return core::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// x times 2^exponent.
inline Vec3 scaled(const Vec3& x, int exponent) {
  if (exponent > -1000 && exponent < 1000) return x * power_of_two(exponent);  // rounds once, as ldexp does
  return {std::ldexp(x.x, exponent), std::ldexp(x.y, exponent), std::ldexp(x.z, exponent)};
}

}  // namespace graze::engine::curved
