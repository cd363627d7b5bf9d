// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <graze/math/box3.hpp>

namespace graze::engine::manifold {

/// Calls `visit(i, j)` for every box i of the first list and j of the second that overlap: sort and sweep along x.
template <class Visit>
void for_overlapping(std::span<const Box3> a, std::span<const Box3> b, Visit&& visit) {
  const auto by_start = [](std::span<const Box3> boxes) {
    std::vector<std::uint32_t> order(boxes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return boxes[i].lo.x < boxes[j].lo.x; });
    return order;
  };
  const std::vector<std::uint32_t> first = by_start(a), second = by_start(b);
  std::size_t i = 0, j = 0;
  while (i < first.size() && j < second.size()) {
    const bool a_starts = a[first[i]].lo.x <= b[second[j]].lo.x;
    const Box3& box = a_starts ? a[first[i]] : b[second[j]];
    const std::span<const Box3> others = a_starts ? b : a;
    const std::vector<std::uint32_t>& order = a_starts ? second : first;
    for (std::size_t k = a_starts ? j : i; k < order.size() && others[order[k]].lo.x <= box.hi.x; ++k) {
      if (!box.overlaps(others[order[k]])) continue;
      if (a_starts)
        visit(first[i], order[k]);
      else
        visit(order[k], second[j]);
    }
    ++(a_starts ? i : j);
  }
}

}  // namespace graze::engine::manifold
