// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <graze/math/vec3.hpp>

namespace graze::engine::curved {

/// The least e for which a coordinate of this size is at most 2^e; 0 for 0. A sum of sizes that overflowed is infinite:
/// the sizes themselves are below 2^1024.
inline int exponent_of(double largest) {
  if (!std::isfinite(largest)) return 1026;
  int e = 0;
  std::frexp(largest, &e);
  return largest > 0 ? e : 0;
}

/// x times 2^exponent.
inline Vec3 scaled(const Vec3& x, int exponent) {
  return {std::ldexp(x.x, exponent), std::ldexp(x.y, exponent), std::ldexp(x.z, exponent)};
}

}  // namespace graze::engine::curved
