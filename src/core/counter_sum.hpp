// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <graze/core/counters.hpp>
#include <graze/core/portability.hpp>

namespace graze::core {

/// sum += more, as one short loop. Unrolled for every counter it is 2 KB of code, and a single query would suffer
/// instruction cache misses just to add a few numbers.
inline void add(Counters& sum, const Counters& more) {
  using Values = std::array<std::uint64_t, sizeof(Counters) / sizeof(std::uint64_t)>;
  auto values = core::bit_cast<Values>(sum);
  const auto others = core::bit_cast<Values>(more);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += others[i];
  sum = core::bit_cast<Counters>(values);
}

}  // namespace graze::core
