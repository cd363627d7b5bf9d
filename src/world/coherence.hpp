// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <unordered_map>

#include <graze/query/body.hpp>
#include <graze/query/collide.hpp>
#include <graze/query/first_contact.hpp>

#include "world/pair_key.hpp"

namespace graze::world {

/// What a method remembers about a pair, and the bodies it speaks of.
template <class Memory>
struct Remembered {
  Body a, b;
  Memory memory;
};

/// Separating planes, fronts and tables, one for each pair that stays near (Zachmann 3.4.2, FAST 5.1, CONTACT 6): never
/// more than a given number of each kind, and dropped when a pair parts.
class Coherences {
 public:
  explicit Coherences(std::size_t most) : most_(most) {}

  /// None if there are too many already.
  CollideCoherence* collide(PairKey key, const Body& a, const Body& b);
  FirstContactCoherence* first_contact(PairKey key, const Body& a, const Body& b);

  /// Returns how many.
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
