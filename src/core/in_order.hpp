// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "core/parallel.hpp"

namespace graze::core {

/// A search in parts, on up to `threads` threads, whose result is that of one thread that takes the parts in order.
/// `run(i)` returns a pointer to a part whose member `done` says that no later part is needed (one that was interrupted
/// says so, too); `merge(pointer)` is called in order, up to the first that is done, and may keep what it gets. A part
/// is not started once an earlier one is done; a part that has been started ends by itself.
template <class Run, class Merge>
void in_order(std::size_t parts, int threads, Run&& run, Merge&& merge) {
  using Part = decltype(run(std::size_t{0}));
  std::vector<Part> results(parts);
  std::atomic<std::size_t> done_at{std::numeric_limits<std::size_t>::max()};
  parallel_for(parts, threads, [&](std::size_t i) {
    if (done_at.load() < i) return;
    results[i] = run(i);
    if (!results[i]->done) return;
    for (std::size_t seen = done_at; i < seen && !done_at.compare_exchange_weak(seen, i);) {
    }
  });
  for (Part& part : results) {
    const bool done = part->done;  // never null here: before a skipped part there is one that is done
    merge(part);
    if (done) return;
  }
}

}  // namespace graze::core
