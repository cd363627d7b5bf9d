// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace graze::broad {

/// A number to sort by, and what it belongs to.
struct KeyItem {
  std::uint32_t key, item;
};

/// Floats (not NaN) in the order of their values as whole numbers.
inline std::uint32_t ordered_bits(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}

/// Sorts by key; equal keys in any order that depends on the input only. `scratch` is kept from call to call.
void sort_by_key(std::vector<KeyItem>& items, std::vector<KeyItem>& scratch);

}  // namespace graze::broad
