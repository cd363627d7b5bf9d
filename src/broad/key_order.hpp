// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/core/portability.hpp>

namespace graze::broad {

/// A sort key and the item that it belongs to.
struct KeyItem {
  std::uint32_t key, item;
};

/// Maps floats (not NaN) to integers in the same order.
inline std::uint32_t ordered_bits(float x) {
  const auto bits = core::bit_cast<std::uint32_t>(x);
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}

/// Sorts by key; the order of equal keys depends on the input only. `scratch` is reused from call to call.
void sort_by_key(std::vector<KeyItem>& items, std::vector<KeyItem>& scratch);

}  // namespace graze::broad
