// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <graze/ask/many.hpp>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"

namespace graze::ask {

/// Answers the entries of a batch, over threads. `worker_for(worker)` makes what answers the entries of one thread, and
/// is called as such with their numbers; `forget(entry)` says that an entry is not answered, because the batch must
/// end.
template <class WorkerFor, class Forget>
void answer_entries(std::size_t entries, int threads, const WorkerFor& worker_for, const Forget& forget) {
  const std::size_t most = static_cast<std::size_t>(threads);
  // Neighbours are often alike, so a thread takes several at once. The last blocks are still small enough that the
  // threads end together.
  const std::size_t block = std::clamp<std::size_t>(entries / (8 * most), 1, 16);
  const std::size_t workers = std::min(most, (entries + block - 1) / block);
  std::atomic<std::size_t> next{0};
  core::parallel_for(workers, threads, [&](std::size_t worker) {
    const auto answer = worker_for(worker);
    for (std::size_t begin; (begin = next.fetch_add(block, std::memory_order_relaxed)) < entries;)
      for (std::size_t i = begin; i < std::min(begin + block, entries); ++i) {
        if (core::stop_requested()) {
          forget(i);
          continue;
        }
        try {
          answer(i);
        } catch (const core::Stopped&) {
          // The question has left its result `undecided`, with what it had certified.
        }
      }
  });
}

void count_entries(auto results, ManyResult& many) {
  for (const auto& r : results) switch (r.status) {
      case Status::free: ++many.free; break;
      case Status::contact:
      case Status::touching_at_start: ++many.contact; break;
      case Status::undecided: ++many.undecided; break;
      case Status::invalid_request:
        if (++many.invalid == 1) many.error = r.error;
        break;
    }
  many.status = many.invalid > 0     ? Status::invalid_request
                : many.contact > 0   ? Status::contact
                : many.undecided > 0 ? Status::undecided
                                     : Status::free;
}

}  // namespace graze::ask
