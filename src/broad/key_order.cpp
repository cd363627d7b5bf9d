// SPDX-License-Identifier: MIT
#include "broad/key_order.hpp"

#include <algorithm>
#include <cstddef>

namespace graze::broad {
namespace {

/// Insertion sort, the fastest method for nearly sorted input. Gives up, leaving the items partly sorted, after too
/// many moves.
bool nearly_sorted(std::vector<KeyItem>& items) {
  std::size_t patience = 4 * items.size();
  for (std::size_t i = 1; i < items.size(); ++i) {
    const KeyItem item = items[i];
    std::size_t at = i;
    for (; at > 0 && items[at - 1].key > item.key; --at) items[at] = items[at - 1];
    items[at] = item;
    if (i - at > patience) return false;
    patience -= i - at;
  }
  return true;
}

}  // namespace

void sort_by_key(std::vector<KeyItem>& items, std::vector<KeyItem>& scratch) {
  if (items.size() < 1024) {
    if (nearly_sorted(items)) return;
    if (items.size() < 128) {
      std::sort(items.begin(), items.end(), [](const KeyItem& a, const KeyItem& b) { return a.key < b.key; });
      return;
    }
  }
  // LSD radix sort: three digits of 11 bits, counted in one pass.
  constexpr int digits = 3, bits = 11;
  constexpr std::uint32_t mask = (1u << bits) - 1;
  std::uint32_t first[digits][mask + 1] = {};
  for (const KeyItem& item : items) {
    for (int d = 0; d < digits; ++d) ++first[d][(item.key >> (d * bits)) & mask];
  }
  scratch.resize(items.size());
  for (int d = 0; d < digits; ++d) {
    std::uint32_t sum = 0;
    for (std::uint32_t& f : first[d]) {
      const std::uint32_t count = f;
      f = sum;
      sum += count;
    }
    for (const KeyItem& item : items) scratch[first[d][(item.key >> (d * bits)) & mask]++] = item;
    items.swap(scratch);
  }
}

}  // namespace graze::broad
