// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <graze/math/pose.hpp>

namespace graze::math {

/// The same rotation, scaled by a power of two so that the largest component is in [1/2, 1): squares and products of
/// its components neither vanish nor leave the doubles.
inline Quat near_unit_size(const Quat& q) {
  const double m = std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
  // m = f 2^e with f in [1/2, 1); its bits hold e + 1022. This is done for every pair of bodies, and calls of frexp and
  // ldexp were a fifth of what it takes to find two boxes apart.
  const auto field = std::bit_cast<std::uint64_t>(m) >> 52;
  if (field == 1022) return q;
  if (field >= 22 && field <= 2022) {
    const double unit = std::bit_cast<double>((2045 - field) << 52);  // 2^-e: rounded once, as ldexp would
    return {q.w * unit, q.x * unit, q.y * unit, q.z * unit};
  }
  int e;
  std::frexp(m, &e);
  return {std::ldexp(q.w, -e), std::ldexp(q.x, -e), std::ldexp(q.y, -e), std::ldexp(q.z, -e)};
}

}  // namespace graze::math
