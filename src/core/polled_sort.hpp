// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "core/limits.hpp"

namespace graze::core {

/// `std::sort` that throws `Stopped` if the current query must end. Then the range holds the same elements in some
/// order.
template <class Iterator, class Less>
void polled_sort(Iterator first, Iterator last, Less less) {
  if (!current_limits()) return std::sort(first, last, less);
  unsigned comparisons = 0;
  std::sort(first, last, [&](const auto& x, const auto& y) {
    if (++comparisons % 4096 == 0) poll_once();
    return less(x, y);
  });
}

}  // namespace graze::core
