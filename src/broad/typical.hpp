// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "broad/bodies.hpp"

namespace graze::broad {

/// Where most bodies are along an axis, and how large most are there; from a sample. What is made of it may cost time
/// if it suits badly, never an answer. Coordinates are halved, so that nothing overflows.
struct Typical {
  double half_from = 0, half_to = 0, half_size = 0;
};
Typical typical(const Bodies& bodies, std::span<const std::uint32_t> ids, int axis);

/// The largest power of two that is not above x, between 2^-1000 and 2^1000; x is positive.
double power_of_two_below(double x);

}  // namespace graze::broad
