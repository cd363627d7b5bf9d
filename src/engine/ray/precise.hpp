// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "math/bounded_double_double.hpp"

namespace graze::engine::ray {

/// A vector of numbers of about 100 bits, each with its error bound.
using PrecisePoint = std::array<math::BoundedDoubleDouble, 3>;

inline PrecisePoint operator-(const PrecisePoint& a, const PrecisePoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline math::BoundedDoubleDouble dot(const PrecisePoint& a, const PrecisePoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline PrecisePoint cross(const PrecisePoint& a, const PrecisePoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace graze::engine::ray
