// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <graze/core/counters.hpp>

namespace graze::core {

/// sum += more, as one short loop: written out for every counter it is 2 KB of code, which a single query would fetch
/// from far away to add a handful of numbers.
inline void add(Counters& sum, const Counters& more) {
  using Values = std::array<std::uint64_t, sizeof(Counters) / sizeof(std::uint64_t)>;
  auto values = std::bit_cast<Values>(sum);
  const auto others = std::bit_cast<Values>(more);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += others[i];
  sum = std::bit_cast<Counters>(values);
}

}  // namespace graze::core
