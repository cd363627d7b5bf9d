// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "core/limits.hpp"
#include "core/parallel.hpp"

namespace graze::core {

/// Calls `body(i)` for every i below n, in chunks of thousands. Throws `Stopped` if the current query must end.
template <class Body>
void in_chunks(std::size_t n, int threads, Body&& body) {
  constexpr std::size_t chunk = 1 << 12;
  parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    poll_once();
    for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) body(i);
  });
}

/// Calls `body(lane, i)` for every i below n; items are handed out in ascending order. No two calls of the same lane
/// (lane < `lanes`) run concurrently, so working memory can be kept per lane.
template <class Body>
void in_lanes(std::size_t n, std::size_t lanes, Body&& body) {
  std::atomic<std::size_t> next{0};
  parallel_for(std::min(n, lanes), static_cast<int>(lanes), [&](std::size_t lane) {
    for (std::size_t i = next++; i < n; i = next++) body(lane, i);
  });
}

}  // namespace graze::core
