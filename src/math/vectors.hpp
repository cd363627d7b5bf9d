// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <graze/core/portability.hpp>
#include <graze/math/vec3.hpp>

namespace graze::math {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double eps = 0x1p-53;  ///< the largest relative rounding error of one operation

/// As computed: within 2^-50 of the length as long as its square neither overflows nor underflows.
inline double norm(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// An upper bound of the length, under the same condition.
inline double norm_above(const Vec3& v) { return norm(v) * (1 + 0x1p-50); }

inline double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// v scaled by a power of two so that its largest coordinate is in [1/2, 1): products of such vectors neither overflow
/// nor underflow to zero. Zero and non-finite vectors become zero.
inline Vec3 of_size_one(const Vec3& v) {
  const double m = largest(v);
  if (!(m > 0) || !is_finite(v)) return {};
  // m = f 2^e with f in [1/2, 1); its exponent field holds e + 1022. One multiplication by 2^-e rounds as ldexp does,
  // and this runs for every direction of a search: frexp and three ldexp took a twentieth of some of them.
  const auto field = core::bit_cast<std::uint64_t>(m) >> 52;
  if (field >= 22 && field <= 2022) return v * core::bit_cast<double>((2045 - field) << 52);
  int e;
  std::frexp(m, &e);
  return {std::ldexp(v.x, -e), std::ldexp(v.y, -e), std::ldexp(v.z, -e)};
}

/// The length of a vector, accurate to a few roundings at every scale; without libm, so the same on every processor.
inline double scaled_length(const Vec3& x) {
  const double m = largest(x);
  if (!(m > 0) || !std::isfinite(m)) return m;
  const Vec3 scaled{x.x / m, x.y / m, x.z / m};
  return m * std::sqrt(dot(scaled, scaled));
}

/// v / |v|, also where 1 / |v| is not representable as a double. Zero and non-finite vectors become zero.
inline Vec3 unit(const Vec3& v) {
  const Vec3 w = of_size_one(v);
  const double len = length(w);
  return len > 0 ? w * (1 / len) : Vec3{};
}

/// `normal` or its opposite, whichever points to the side of `direction`.
inline Vec3 facing(const Vec3& normal, const Vec3& direction) { return dot(normal, direction) < 0 ? -normal : normal; }

/// The matrix r, row by row, times x.
inline Vec3 turned(const std::array<double, 9>& r, const Vec3& x) {
  return {r[0] * x.x + r[1] * x.y + r[2] * x.z, r[3] * x.x + r[4] * x.y + r[5] * x.z,
          r[6] * x.x + r[7] * x.y + r[8] * x.z};
}

}  // namespace graze::math
