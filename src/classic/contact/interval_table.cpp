// SPDX-License-Identifier: MIT
#include "classic/contact/interval_table.hpp"

#include <algorithm>
#include <bit>

namespace graze::classic::contact {

std::size_t IntervalTable::place(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> 20) & mask;
  while (slots_[i] != nothing && slots_[i] != key) i = (i + 1) & mask;
  return i;
}

bool IntervalTable::opens(std::uint32_t a, std::uint32_t b) const {
  return size_ > 0 && slots_[place(key(a, b))] != nothing;
}

void IntervalTable::replace(const std::vector<std::uint64_t>& opened) {
  size_ = 0;
  if (opened.size() > most) {
    slots_.clear();
    return;
  }
  slots_.assign(std::bit_ceil(2 * opened.size() + 2), nothing);
  for (const std::uint64_t k : opened) {
    std::uint64_t& slot = slots_[place(k)];
    size_ += slot == nothing;
    slot = k;
  }
}

}  // namespace graze::classic::contact
