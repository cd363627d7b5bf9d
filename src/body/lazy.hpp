// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace graze::body {

/// A part of a body that only some queries need. The first query that needs it constructs it, on any thread; afterwards
/// it is shared and immutable. If that query is ended on the way (an exception), the next one starts again.
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(Make&& make) const {
    if (const T* ready = ready_.load(std::memory_order_acquire)) return *ready;
    const std::lock_guard lock(making_);  // not call_once: some standard libraries hang there after an exception
    if (!value_) {
      value_.reset(new const T(make()));  // constructed in place: T need not be movable
      ready_.store(value_.get(), std::memory_order_release);
    }
    return *value_;
  }

 private:
  mutable std::mutex making_;
  mutable std::unique_ptr<const T> value_;
  mutable std::atomic<const T*> ready_{nullptr};
};

}  // namespace graze::body
