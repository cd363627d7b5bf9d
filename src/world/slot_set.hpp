// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace graze::world {

/// An unordered set of slots. A small set is searched linearly. A large set stores the position of each slot, so that a
/// floor may lose a hundred thousand contacts at once without a linear search for each.
class SlotSet {
 public:
  /// The slot must not be in the set yet.
  void insert(std::uint32_t slot) {
    list_.push_back(slot);
    if (!place_.empty()) place_[slot] = last();
    if (place_.empty() && list_.size() > few)
      for (std::uint32_t i = 0; i < list_.size(); ++i) place_[list_[i]] = i;
  }

  /// Does nothing if the slot is not in the set.
  void erase(std::uint32_t slot) {
    std::size_t at = list_.size();
    if (place_.empty()) {
      at = static_cast<std::size_t>(std::find(list_.begin(), list_.end(), slot) - list_.begin());
    } else if (const auto known = place_.find(slot); known != place_.end()) {
      at = known->second;
      place_[list_.back()] = static_cast<std::uint32_t>(at);
      place_.erase(slot);
    }
    if (at == list_.size()) return;
    list_[at] = list_.back();
    list_.pop_back();
  }

  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  /// For loops that change the set.
  std::vector<std::uint32_t> copy() const { return list_; }

 private:
  static constexpr std::size_t few = 32;
  std::uint32_t last() const { return static_cast<std::uint32_t>(list_.size() - 1); }

  std::vector<std::uint32_t> list_;
  std::unordered_map<std::uint32_t, std::uint32_t> place_;  ///< slot to position; empty while the set is small
};

}  // namespace graze::world
