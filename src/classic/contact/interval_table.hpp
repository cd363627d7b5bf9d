// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/first_contact/pair/coherence.hpp"

namespace graze::classic::contact {

/// The coherence table (CONTACT 6): where the last query's traversal ended. It stores the pairs that were opened: the
/// next query opens these without a test and so reaches the terminal pairs, the children of opened pairs that are not
/// opened themselves. All pairs are covered whatever the table contains, even entries of other bodies: a wrong table
/// costs time but never changes an answer.
class IntervalTable : public FirstContactMemory {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20;  ///< pairs; a larger table is discarded

  bool opens(std::uint32_t a, std::uint32_t b) const;
  void replace(const std::vector<std::uint64_t>& opened);
  std::size_t size() const { return size_; }

  static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

 private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};  // no pair: there are fewer nodes than 2^32 - 1
  std::size_t place(std::uint64_t key) const;

  std::vector<std::uint64_t> slots_;  // open addressing, at most half full
  std::size_t size_ = 0;
};

}  // namespace graze::classic::contact
