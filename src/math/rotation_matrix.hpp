// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>

#include "math/quat_size.hpp"

namespace graze::math {

/// Rows of R(q / |q|). With |q|^2 in [1/4, 4]: the factor 2 / |q|^2 is accurate to 5 eps, the sums of two products to 2
/// eps, so an entry is accurate to 20 eps.
inline std::array<double, 9> rotation_matrix(const Quat& q) {
  const double s = 2 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.w * q.z),     s * (q.x * q.z + q.w * q.y),
          s * (q.x * q.y + q.w * q.z),     1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.w * q.x),
          s * (q.x * q.z - q.w * q.y),     s * (q.y * q.z + q.w * q.x),     1 - s * (q.x * q.x + q.y * q.y)};
}

/// conj(a) * b, each component off by at most 4 eps |a| |b|; the matrix entries then by another 32 eps.
inline Quat quotient_rotation(const Quat& a, const Quat& b) {
  return {a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
          a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
}

/// Does the rotation permute the axes, up to signs? Exactly so if and only if all non-zero components have the same
/// magnitude and there are one, two or four of them.
inline bool permutes_axes(const Quat& q) {
  double magnitude = 0;
  int count = 0;
  for (const double c : {q.w, q.x, q.y, q.z}) {
    if (c == 0) continue;
    if (count++ == 0)
      magnitude = std::fabs(c);
    else if (std::fabs(c) != magnitude)
      return false;
  }
  return count != 3;
}

}  // namespace graze::math
