// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
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

}  // namespace graze::query
