// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace graze::body {

/// A part of a body that only some queries need. The first query that needs it constructs it, on any thread; afterwards
/// it is shared and immutable.
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(Make&& make) const {
    if (const T* ready = ready_.load(std::memory_order_acquire)) return *ready;  // faster than call_once
    std::call_once(once_, [&] {
      value_.reset(new const T(make()));  // constructed in place: T need not be movable
      ready_.store(value_.get(), std::memory_order_release);
    });
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const T> value_;
  mutable std::atomic<const T*> ready_{nullptr};
};

}  // namespace graze::body
