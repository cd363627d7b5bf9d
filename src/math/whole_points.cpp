// SPDX-License-Identifier: MIT
#include "math/whole_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace graze::math {

bool WholePoints::take(PlacedPoints& p) {
  double largest = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is_double(i)) return false;
    approx_[i] = p.approx(i);
    largest = std::max({largest, std::fabs(approx_[i].x), std::fabs(approx_[i].y), std::fabs(approx_[i].z)});
  }
  // 2^e > largest, by its exponent bits; coordinates are in range of expansions, so neither the bits nor the scale are at an end of their range.
  const auto e = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52) - 1022;
  const double scale = largest > 0 ? std::bit_cast<double>(static_cast<std::uint64_t>(18 - e + 1023) << 52) : 1;
  for (int i = 0; i < p.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double x = approx_[i][axis] * scale;  // a power of two: exact
      const auto whole = static_cast<std::int64_t>(x);
      if (static_cast<double>(whole) != x) return false;
      at_[i][static_cast<std::size_t>(axis)] = whole;
    }
  return true;
}

}  // namespace graze::math
