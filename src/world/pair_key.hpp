// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace graze::world {

/// Two slots, the lower first, packed into one number that sorts in the same order.
using PairKey = std::uint64_t;
inline PairKey key_of(std::uint32_t a, std::uint32_t b) { return a < b ? PairKey{a} << 32 | b : PairKey{b} << 32 | a; }
inline std::uint32_t first(PairKey key) { return static_cast<std::uint32_t>(key >> 32); }
inline std::uint32_t second(PairKey key) { return static_cast<std::uint32_t>(key); }

}  // namespace graze::world
