// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

namespace graze::core {

/// Calls `body(i)` for every i in [0, count), on up to `threads` threads, each call under an FpGuard and the caller's
/// `current_limits()`; returns when all are done. If calls throw, the exception of the lowest i is rethrown after all
/// have ended. With one thread, or one item, it runs in the caller's thread, in order. Backend: oneTBB in a private
/// arena, or std::thread (for thread sanitizer).
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

/// The same without a copy of the body, and so without a heap allocation on one thread.
template <class Body>
requires(!std::is_same_v<std::remove_cvref_t<Body>, std::function<void(std::size_t)>>) void parallel_for(
    std::size_t count, int threads, Body&& body) {
  parallel_for(count, threads, std::function<void(std::size_t)>(std::ref(body)));
}

}  // namespace graze::core
