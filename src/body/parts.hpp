// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "body/lazy.hpp"

namespace graze::body {

/// Structures that only some queries need, one of each type. The first query that needs one constructs it, on any
/// thread; afterwards it is shared and immutable. The user of a structure names its type, so a body does not depend on
/// its users.
class Parts {
 public:
  Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    for (Slot* slot = first_.load(std::memory_order_relaxed); slot;) delete std::exchange(slot, slot->next);
  }

  /// The part of this type. If it does not exist yet, `make()` returns it; `make` may itself request other parts.
  template <class Part, class Make>
  const Part& get(Make&& make) const {
    Slot* slot = find<Part>();
    if (!slot) slot = add<Part>();
    return static_cast<SlotOf<Part>*>(slot)->part.get(make);
  }

 private:
  struct Slot {
    explicit Slot(const void* k) : key(k) {}
    virtual ~Slot() = default;
    const void* key;
    Slot* next = nullptr;
  };
  template <class Part>
  struct SlotOf final : Slot {
    SlotOf() : Slot(&key_of<Part>) {}
    Lazy<Part> part;
  };
  template <class Part>
  static constexpr char key_of = 0;  ///< its address identifies the type

  // There are only a few slots, so a linear search is fast enough. New slots are only ever added at the front.
  template <class Part>
  Slot* find() const {
    for (Slot* slot = first_.load(std::memory_order_acquire); slot; slot = slot->next)
      if (slot->key == &key_of<Part>) return slot;
    return nullptr;
  }
  template <class Part>
  Slot* add() const {
    const std::lock_guard lock(adding_);
    if (Slot* slot = find<Part>()) return slot;  // another thread inserted it first
    auto slot = std::make_unique<SlotOf<Part>>();
    slot->next = first_.load(std::memory_order_relaxed);
    first_.store(slot.get(), std::memory_order_release);
    return slot.release();
  }

  mutable std::atomic<Slot*> first_{nullptr};
  mutable std::mutex adding_;
};

}  // namespace graze::body
