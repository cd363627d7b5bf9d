// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace graze::play {

/// The point nearest to the origin that satisfies g_i . x >= h_i for all rows i.
struct NearestPoint {
  bool solved = false;              ///< false: there is none, or the method did not end
  std::vector<double> multipliers;  ///< x = sum of multipliers[i] g_i; 0 or more
  std::size_t steps = 0;
};

/// `rows` holds the g_i one after another, each of `columns` numbers.
NearestPoint nearest_point(std::span<const double> rows, std::size_t columns, std::span<const double> h);

}  // namespace graze::play
