// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace graze::engine::proof {

/// The frame in which a direction of a proof is fixed: the world, or one of the bodies.
enum class Frame : std::uint8_t { world, a, b };

}  // namespace graze::engine::proof
