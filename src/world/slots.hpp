// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace graze::world {

/// Allocates slots and their generations. The same calls give the same ids, so two instances that receive the same
/// calls agree without communication.
class Slots {
 public:
  struct Id {
    std::uint32_t slot, generation;
  };

  Id take() {
    if (free_.empty()) {
      generations_.push_back(0);
      used_.push_back(1);
      return {static_cast<std::uint32_t>(generations_.size() - 1), 0};
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    used_[slot] = 1;
    return {slot, generations_[slot]};
  }

  void give_back(std::uint32_t slot) {
    used_[slot] = 0;
    // A slot whose generations are used up is never used again, so that an old id can never become valid again.
    if (generations_[slot] == std::numeric_limits<std::uint32_t>::max()) return;
    ++generations_[slot];
    free_.push_back(slot);
  }

  bool has(std::uint32_t slot, std::uint32_t generation) const {
    return slot < used_.size() && used_[slot] && generations_[slot] == generation;
  }
  bool used(std::uint32_t slot) const { return slot < used_.size() && used_[slot]; }
  std::uint32_t generation(std::uint32_t slot) const { return generations_[slot]; }
  /// One more than the largest slot ever used.
  std::size_t end() const { return used_.size(); }

 private:
  std::vector<std::uint32_t> generations_, free_;
  std::vector<std::uint8_t> used_;
};

}  // namespace graze::world
