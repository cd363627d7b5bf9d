// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace graze::engine::proof {

/// What a direction of a proof turns with: nothing, or one of the bodies.
enum class Frame : std::uint8_t { world, a, b };

}  // namespace graze::engine::proof
