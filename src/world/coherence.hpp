// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <unordered_map>

#include <graze/ask/collide.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/body/body.hpp>

#include "world/pair_key.hpp"

namespace graze::world {

/// Coherence data that a method keeps for a pair, and the bodies that it refers to.
template <class Memory>
struct Remembered {
  Body a, b;
  Memory memory;
};

/// Separating planes, fronts and tables, one for each pair that stays near (Zachmann 3.4.2, FAST 5.1, CONTACT 6). Their
/// number is limited for each kind. They are dropped when a pair separates.
class Coherences {
 public:
  explicit Coherences(std::size_t most) : most_(most) {}

  /// Null if the limit is reached.
  CollideCoherence* collide(PairKey key, const Body& a, const Body& b);
  FirstContactCoherence* first_contact(PairKey key, const Body& a, const Body& b);

  /// Returns the number of dropped entries.
  template <class Parted>
  std::size_t drop_collide(Parted&& parted) {
    return std::erase_if(collide_, [&](const auto& entry) { return parted(entry.first); });
  }
  template <class Parted>
  std::size_t drop_first_contact(Parted&& parted) {
    return std::erase_if(first_contact_, [&](const auto& entry) { return parted(entry.first); });
  }
  std::size_t size() const { return collide_.size() + first_contact_.size(); }

 private:
  std::size_t most_;
  std::unordered_map<PairKey, Remembered<CollideCoherence>> collide_;
  std::unordered_map<PairKey, Remembered<FirstContactCoherence>> first_contact_;
};

}  // namespace graze::world
