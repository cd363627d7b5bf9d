// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graze::core {

/// A map from 64-bit keys to 32-bit values other than 0, in one buffer: a million entries are freed at once, where the
/// nodes of std::unordered_map would take longer than a cancelled question may. Linear probing, at most half full.
class FlatMap {
 public:
  bool empty() const { return size_ == 0; }
  /// Replaces the value if the key is there. `value` must not be 0.
  void set(std::uint64_t key, std::uint32_t value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[position(key)];
    size_ += slot.value == 0;
    slot = {key, value};
  }
  /// Removes a key and returns its value; 0 if it is not there.
  std::uint32_t take(std::uint64_t key) {
    if (empty()) return 0;
    std::size_t hole = position(key);
    const std::uint32_t value = slots_[hole].value;
    if (value == 0) return 0;
    --size_;
    // Entries behind move up, unless that would put them before the place where the search for them begins.
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (hole + 1) & mask; slots_[at].value != 0; at = (at + 1) & mask) {
      const std::size_t from_home = (at - home(slots_[at].key)) & mask;
      if (from_home < ((at - hole) & mask)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole].value = 0;
    return value;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = 0;  ///< 0: empty
  };
  std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >>
                                    shift_);  // the highest bits depend on all of the key
  }
  /// Where the key is, or else the empty slot where it would be. There is always an empty slot.
  std::size_t position(std::uint64_t key) const {
    std::size_t at = home(key);
    while (slots_[at].value != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (shift_ = 64; std::size_t{1} << (64 - shift_) < slots_.size();) --shift_;
    for (const Slot& s : old)
      if (s.value != 0) slots_[position(s.key)] = s;
  }

  std::vector<Slot> slots_;  ///< a power of two
  std::size_t size_ = 0;
  int shift_ = 0;
};

}  // namespace graze::core
