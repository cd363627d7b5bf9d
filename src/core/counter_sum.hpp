// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <graze/core/method_counters.hpp>
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

/// Adds work to a result and, if the caller requested them, the methods' own counters to the object that it passed.
inline void report(const AllCounters& work, Counters& counters, MethodCounters* requested) {
  add(counters, work);
  if (requested) *requested += work;
}

/// For the start of a question: the caller's object holds the counters of this question only.
inline void clear(MethodCounters* requested) {
  if (requested) *requested = {};
}

}  // namespace graze::core
