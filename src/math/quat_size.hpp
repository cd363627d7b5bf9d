// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <graze/core/portability.hpp>
#include <graze/math/pose.hpp>

namespace graze::math {

/// The same rotation, with the quaternion scaled by a power of two so that its largest component is in [1/2, 1):
/// squares and products of its components neither underflow to zero nor overflow.
inline Quat near_unit_size(const Quat& q) {
  const double m = std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
  // m = f 2^e with f in [1/2, 1); its exponent field holds e + 1022. This runs for every pair of bodies. Calls of frexp
  // and ldexp took a fifth of the time needed to find that two boxes are apart.
  const auto field = core::bit_cast<std::uint64_t>(m) >> 52;
  if (field == 1022) return q;
  if (field >= 22 && field <= 2022) {
    const double unit = core::bit_cast<double>((2045 - field) << 52);  // 2^-e: rounded once, as ldexp would
    return {q.w * unit, q.x * unit, q.y * unit, q.z * unit};
  }
  int e;
  std::frexp(m, &e);
  return {std::ldexp(q.w, -e), std::ldexp(q.x, -e), std::ldexp(q.y, -e), std::ldexp(q.z, -e)};
}

}  // namespace graze::math
