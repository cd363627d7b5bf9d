// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/math/box3.hpp>

namespace graze::broad {

/// The bodies as given by the caller, by id, and which of them have changed. Methods read it; each method keeps its own
/// data derived from a body.
class Bodies {
 public:
  bool contains(std::uint32_t id) const { return id < flags_.size() && (flags_[id] & kPresent) != 0; }
  const Box3& box(std::uint32_t id) const { return boxes_[id]; }
  bool moved(std::uint32_t id) const { return (flags_[id] & kMoved) != 0; }
  std::size_t size() const { return size_; }
  /// Changes whenever a body is inserted or removed; never 0 after the first insertion.
  std::uint64_t membership() const { return membership_; }
  /// One more than the largest id used so far.
  std::uint32_t limit() const { return static_cast<std::uint32_t>(boxes_.size()); }
  std::size_t bytes() const {
    return boxes_.capacity() * sizeof(Box3) + tilted_.capacity() * sizeof(TiltedBox) + flags_.capacity() +
           is_changed_.capacity() + (changed_.capacity() + moved_.capacity()) * 4;
  }

  void insert(std::uint32_t id, const Box3& box) {
    if (id >= boxes_.size()) {
      boxes_.resize(id + std::size_t{1});
      flags_.resize(id + std::size_t{1}, 0);
      is_changed_.resize(id + std::size_t{1}, 0);
    }
    flags_[id] |= kPresent;
    ++size_;
    ++membership_;
    set(id, box);
  }
  void set(std::uint32_t id, const Box3& box) {
    boxes_[id] = box;
    const std::uint8_t flags = flags_[id];
    add_changed(id);
    if ((flags & kMoved) == 0) moved_.push_back(id);
    flags_[id] = static_cast<std::uint8_t>((flags | kMoved) & ~kTilted);
  }
  /// Valid until the next `set`.
  void tilt(std::uint32_t id, const TiltedBox& box) {
    if (tilted_.size() <= id) tilted_.resize(boxes_.size());
    set(id, Box3(boxes_[id]));
    tilted_[id] = box;
    flags_[id] |= kTilted;
  }
  /// Null if the body has none.
  const TiltedBox* tilted(std::uint32_t id) const { return (flags_[id] & kTilted) != 0 ? &tilted_[id] : nullptr; }
  void remove(std::uint32_t id) {
    add_changed(id);
    flags_[id] &= static_cast<std::uint8_t>(~kPresent);
    --size_;
    ++membership_;
  }

  /// Inserted, updated or removed since `forget_changed`, each once: the changes that a method has not processed yet.
  std::span<const std::uint32_t> changed() const { return changed_; }
  void forget_changed() {
    for (const std::uint32_t id : changed_) is_changed_[id] = 0;
    changed_.clear();
  }
  /// Inserted or updated since `forget_moved`, each once; may have been removed since then.
  std::span<const std::uint32_t> moved() const { return moved_; }
  void forget_moved() {
    for (const std::uint32_t id : moved_) flags_[id] &= static_cast<std::uint8_t>(~kMoved);
    moved_.clear();
  }

 private:
  static constexpr std::uint8_t kPresent = 1, kMoved = 2, kTilted = 4;

  void add_changed(std::uint32_t id) {
    if (is_changed_[id] == 0) changed_.push_back(id);
    is_changed_[id] = 1;
  }

  std::vector<Box3> boxes_;
  std::vector<TiltedBox> tilted_;  // by id; grows on demand
  std::vector<std::uint8_t> flags_;
  // Separate from the flags: the first query after a change clears it, while other threads may read the flags.
  std::vector<std::uint8_t> is_changed_;
  std::vector<std::uint32_t> changed_, moved_;
  std::size_t size_ = 0;
  std::uint64_t membership_ = 0;
};

}  // namespace graze::broad
