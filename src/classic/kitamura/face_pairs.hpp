// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "classic/kitamura/scene.hpp"
#include "core/polled_sort.hpp"

namespace graze::classic::kitamura {

/// Two triangles that may interfere; in canonical order: body_a < body_b, or in one body a < b.
struct FacePair {
  std::uint32_t body_a, body_b, a, b;
  friend std::strong_ordering operator<=>(const FacePair&, const FacePair&) = default;
};

/// Kitamura's face pair check-list (3.5): a pair that another cell has added is not added again. Duplicates are removed
/// by sorting whenever the list has doubled, so that they never take more memory than the pairs themselves.
class FacePairList {
 public:
  void add(const FacePair& pair) {
    pairs_.push_back(pair);
    if (pairs_.size() >= next_) compact();
  }
  void add(const FacePairList& other) {
    pairs_.insert(pairs_.end(), other.pairs_.begin(), other.pairs_.end());
    repeats_ += other.repeats_;
  }
  void compact() {
    core::polled_sort(pairs_.begin(), pairs_.end(), std::less<>());
    const auto end = std::unique(pairs_.begin(), pairs_.end());
    repeats_ += static_cast<std::uint64_t>(pairs_.end() - end);
    pairs_.erase(end, pairs_.end());
    next_ = std::max<std::size_t>(1 << 14, 2 * pairs_.size());
  }
  const std::vector<FacePair>& pairs() const { return pairs_; }
  std::uint64_t repeats() const { return repeats_; }

 private:
  std::vector<FacePair> pairs_;
  std::size_t next_ = 1 << 14;
  std::uint64_t repeats_ = 0;
};

/// The exact test of every pair of the sorted list (Kitamura 3.6); those that share a point are added to the result, in
/// the same order.
void test_face_pairs(const Scene& scene, const std::vector<FacePair>& pairs, int threads, InterferenceResult& result);

}  // namespace graze::classic::kitamura
