// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace graze::core {

/// Union-find over 0 to n - 1, at first each in a set of its own. The root of a set is its lowest element.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }

  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::uint32_t i, std::uint32_t j) {
    i = root(i);
    j = root(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }
  /// The root of every element.
  std::vector<std::uint32_t> roots() && {
    for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = root(i);
    return std::move(parent_);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace graze::core
