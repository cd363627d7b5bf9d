// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include <graze/ask/first_contact.hpp>

namespace graze::engine::first_contact {

inline bool touches(const FirstContactResult& r) {
  return r.status == Status::contact || r.status == Status::touching_at_start;
}

/// Calls `ask(first, size)` for one batch of questions after the other, as long as `needed(first)` says that the next
/// one is needed. With `all` there is one batch. Returns how many questions were asked.
///
/// For questions in ascending order of possible contact time, of which only the earliest contact counts. Batch sizes do
/// not depend on the number of threads, so neither do the questions asked and their counters. The first batches are
/// small, because an early contact saves the rest.
template <class Needed, class Ask>
std::size_t ask_in_batches(std::size_t count, bool all, Needed&& needed, Ask&& ask) {
  std::size_t asked = 0;
  for (std::size_t size = all ? count : 4; asked < count && needed(asked);
       size = std::min<std::size_t>(2 * size, 256)) {
    size = std::min(size, count - asked);
    ask(asked, size);
    asked += size;
  }
  return asked;
}

}  // namespace graze::engine::first_contact
