// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/math/box3.hpp>

namespace graze::broad {

/// The bodies as the caller has given them, by id, and which of them have changed. Methods read it; each keeps for
/// itself what it has made of a body.
class Bodies {
 public:
  bool contains(std::uint32_t id) const { return id < flags_.size() && (flags_[id] & kPresent) != 0; }
  const Box3& box(std::uint32_t id) const { return boxes_[id]; }
  bool moved(std::uint32_t id) const { return (flags_[id] & kMoved) != 0; }
  std::size_t size() const { return size_; }
  /// Changes whenever a body comes or goes; never 0 once there was one.
  std::uint64_t membership() const { return membership_; }
  /// One more than the largest id there has been.
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
  /// Until the next `set`.
  void tilt(std::uint32_t id, const TiltedBox& box) {
    if (tilted_.size() <= id) tilted_.resize(boxes_.size());
    set(id, Box3(boxes_[id]));
    tilted_[id] = box;
    flags_[id] |= kTilted;
  }
  /// Nothing unless the body has one.
  const TiltedBox* tilted(std::uint32_t id) const { return (flags_[id] & kTilted) != 0 ? &tilted_[id] : nullptr; }
  void remove(std::uint32_t id) {
    add_changed(id);
    flags_[id] &= static_cast<std::uint8_t>(~kPresent);
    --size_;
    ++membership_;
  }

  /// Inserted, updated or removed since `forget_changed`, each once: what a method has not heard of yet.
  std::span<const std::uint32_t> changed() const { return changed_; }
  void forget_changed() {
    for (const std::uint32_t id : changed_) is_changed_[id] = 0;
    changed_.clear();
  }
  /// Inserted or updated since `forget_moved`, each once; may have been removed since.
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
  std::vector<TiltedBox> tilted_;  // by id; as long as needed
  std::vector<std::uint8_t> flags_;
  // Not among the flags: the first question after a change clears it, while others may read those.
  std::vector<std::uint8_t> is_changed_;
  std::vector<std::uint32_t> changed_, moved_;
  std::size_t size_ = 0;
  std::uint64_t membership_ = 0;
};

}  // namespace graze::broad
