// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "core/parallel.hpp"

namespace graze::query {

/// `body(i)` for every i below n, thousands at a time.
template <class Body>
void in_chunks(std::size_t n, int threads, Body&& body) {
  constexpr std::size_t chunk = 1 << 12;
  core::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) body(i);
  });
}

/// `body(lane, i)` for every i below n, in turn; no two calls of one lane, below `lanes`, are at the same time. So what
/// a call needs to work with is kept by lane.
template <class Body>
void in_lanes(std::size_t n, std::size_t lanes, Body&& body) {
  std::atomic<std::size_t> next{0};
  core::parallel_for(std::min(n, lanes), static_cast<int>(lanes), [&](std::size_t lane) {
    for (std::size_t i = next++; i < n; i = next++) body(lane, i);
  });
}

}  // namespace graze::query
