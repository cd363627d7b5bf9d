// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "broad/bodies.hpp"

namespace graze::broad {

/// The range that holds most bodies along an axis, and the size of most bodies there; from a sample. A poor estimate
/// may cost time but never changes an answer. Coordinates are halved, so that nothing overflows.
struct Typical {
  double half_from = 0, half_to = 0, half_size = 0;
};
Typical typical(const Bodies& bodies, std::span<const std::uint32_t> ids, int axis);

/// The largest power of two <= x, between 2^-1000 and 2^1000; x is positive.
double power_of_two_below(double x);

}  // namespace graze::broad
