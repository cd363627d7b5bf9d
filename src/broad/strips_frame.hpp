// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "broad/bodies.hpp"

namespace graze::broad {

/// A box in single precision, and the cells that it covers across the swept axis.
struct KeyBox {
  float lo[3], hi[3];
  std::uint16_t cell_lo[2], cell_hi[2];
};

/// The mapping from boxes to keys and cells. Every step of both maps is monotone: a subtraction, a product with a
/// positive number, a conversion, each correctly rounded, and a clamp. So x <= y implies key(x) <= key(y), and
/// overlapping boxes have overlapping keys and a common cell, regardless of rounding, overflow or points outside the
/// range: no widening is needed. Conversely, key(x) < key(y) proves x < y, and only equal keys leave the comparison
/// open.
struct StripsFrame {
  int axis[3] = {0, 1, 2};          // the swept axis first, then the two axes divided into cells
  double offset[3] = {0, 0, 0};     // by axis
  double scale[3] = {1, 1, 1};      // by axis; powers of two, never 0
  float cell_start[2] = {0, 0};     // in keys
  float cells_per_key[2] = {0, 0};  // never negative
  std::uint16_t cells[2] = {1, 1};

  float key(double x, int along) const {
    constexpr double largest = std::numeric_limits<float>::max();
    return static_cast<float>(std::min(largest, std::max(-largest, (x - offset[along]) * scale[along])));
  }
  std::uint16_t cell(float key, int k) const {
    const float c = (key - cell_start[k]) * cells_per_key[k];
    // With this order of arguments, a NaN (an infinite difference times zero cells) becomes the last cell, as every
    // large number does.
    return static_cast<std::uint16_t>(std::max(0.0f, std::min(static_cast<float>(cells[k] - 1), c)));
  }
  /// Written in place: copying the result would stall on the preceding stores.
  void make_keys(const Box3& box, KeyBox& out) const {
    const double lo[3] = {box.lo.x, box.lo.y, box.lo.z}, hi[3] = {box.hi.x, box.hi.y, box.hi.z};
    for (int k = 0; k < 3; ++k) {
      out.lo[k] = key(lo[k], k);
      out.hi[k] = key(hi[k], k);
    }
    for (int k = 0; k < 2; ++k) {
      out.cell_lo[k] = cell(out.lo[axis[k + 1]], k);
      out.cell_hi[k] = cell(out.hi[axis[k + 1]], k);
    }
  }
  std::size_t cell_count() const { return std::size_t{cells[0]} * cells[1]; }
};

/// Chooses a frame for these bodies. All `ids` must be present.
StripsFrame choose_frame(const Bodies& bodies, std::span<const std::uint32_t> ids);

}  // namespace graze::broad
