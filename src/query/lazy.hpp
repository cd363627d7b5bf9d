// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace graze::query {

/// A part of a body that only some questions need: made by the first that asks, in whichever thread; then shared and
/// immutable.
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(Make&& make) const {
    if (const T* ready = ready_.load(std::memory_order_acquire)) return *ready;  // call_once costs more
    std::call_once(once_, [&] {
      value_ = std::make_unique<const T>(make());
      ready_.store(value_.get(), std::memory_order_release);
    });
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const T> value_;
  mutable std::atomic<const T*> ready_{nullptr};
};

}  // namespace graze::query
