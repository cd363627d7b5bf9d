// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

namespace graze::bv {

/// The largest float <= x, and the smallest float >= x. x is not NaN. Beyond the range of float the conversion gives an
/// infinity, which is replaced by the largest float where it is on the wrong side; below it, 0 or a subnormal likewise.
inline float float_below(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}
inline float float_above(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

}  // namespace graze::bv
