// SPDX-License-Identifier: MIT
#include "broad/pair_order.hpp"

#include <algorithm>

namespace graze::broad {

void PairOrder::sort(std::vector<BoxPair>& pairs, std::uint32_t limit) {
  if (std::is_sorted(pairs.begin(), pairs.end())) return;
  if (pairs.size() < 32 || pairs.size() < limit / 16) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  // By counting: a body has few pairs, so that what is left to sort are short runs with the same a.
  first.assign(limit + std::size_t{1}, 0);
  for (const BoxPair& p : pairs) ++first[p.a + std::size_t{1}];
  for (std::size_t i = 1; i <= limit; ++i) first[i] += first[i - 1];
  sorted.resize(pairs.size());
  for (const BoxPair& p : pairs) sorted[first[p.a]++] = p;
  pairs.swap(sorted);
  for (std::size_t begin = 0; begin < pairs.size();) {
    const std::size_t end = first[pairs[begin].a];  // after the scatter: one past its last
    if (end - begin > 1) {
      std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin), pairs.begin() + static_cast<std::ptrdiff_t>(end));
    }
    begin = end;
  }
}

}  // namespace graze::broad
