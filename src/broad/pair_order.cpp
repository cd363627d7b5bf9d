// SPDX-License-Identifier: MIT
#include "broad/pair_order.hpp"

#include <algorithm>

namespace graze::broad {
namespace {

/// Insertion sort; all have the same a.
void sort_few(BoxPair* begin, BoxPair* end) {
  for (BoxPair* next = begin + 1; next < end; ++next) {
    const BoxPair pair = *next;
    BoxPair* at = next;
    for (; at > begin && at[-1].b > pair.b; --at) *at = at[-1];
    *at = pair;
  }
}

}  // namespace

void PairOrder::sort(std::vector<BoxPair>& pairs, std::uint32_t limit) {
  if (std::is_sorted(pairs.begin(), pairs.end())) return;
  if (pairs.size() < 32 || pairs.size() < limit / 16) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  // Counting sort by a. A body has few pairs, so only short runs with the same a remain to be sorted.
  first.assign(limit + std::size_t{1}, 0);
  for (const BoxPair& p : pairs) ++first[p.a + std::size_t{1}];
  for (std::size_t i = 1; i <= limit; ++i) first[i] += first[i - 1];
  sorted.resize(pairs.size());
  for (const BoxPair& p : pairs) sorted[first[p.a]++] = p;
  pairs.swap(sorted);
  for (std::size_t begin = 0; begin < pairs.size();) {
    const std::size_t end = first[pairs[begin].a];  // after the scatter: one past its last pair
    if (end - begin > 24)
      std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin), pairs.begin() + static_cast<std::ptrdiff_t>(end));
    else
      sort_few(pairs.data() + begin, pairs.data() + end);
    begin = end;
  }
}

}  // namespace graze::broad
