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

/// How boxes become keys and cells. Every step of both maps is monotone: a subtraction, a product with a positive
/// number, a conversion, each correctly rounded, and a clamp. So of x <= y follows key(x) <= key(y), and boxes that
/// overlap have keys that overlap and a common cell, whatever is rounded, overflows or lies outside: no widening is
/// needed. Read the other way, key(x) < key(y) proves x < y, and only equal keys leave a question open.
struct StripsFrame {
  int axis[3] = {0, 1, 2};          // the swept one first, then the two that cells lie across
  double offset[3] = {0, 0, 0};     // by axis
  double scale[3] = {1, 1, 1};      // by axis; powers of two, never 0
  float cell_start[2] = {0, 0};     // keys
  float cells_per_key[2] = {0, 0};  // never negative
  std::uint16_t cells[2] = {1, 1};

  float key(double x, int along) const {
    constexpr double largest = std::numeric_limits<float>::max();
    return static_cast<float>(std::min(largest, std::max(-largest, (x - offset[along]) * scale[along])));
  }
  std::uint16_t cell(float key, int k) const {
    const float c = (key - cell_start[k]) * cells_per_key[k];
    // In this order of arguments, what is not a number (an infinite difference times no cells) becomes the last cell,
    // as every large number does.
    return static_cast<std::uint16_t>(std::max(0.0f, std::min(static_cast<float>(cells[k] - 1), c)));
  }
  /// Written in place: a copy would wait for what has just been stored.
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

/// A frame for these bodies. `ids` are of bodies that are there.
StripsFrame choose_frame(const Bodies& bodies, std::span<const std::uint32_t> ids);

}  // namespace graze::broad
