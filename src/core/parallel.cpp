// SPDX-License-Identifier: MIT
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

#include "core/fp_guard.hpp"
#include "core/limits.hpp"

#ifdef GRAZE_PARALLEL_TBB
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#else
#include <thread>
#endif

namespace graze::core {

namespace {

/// Keeps the exception of the lowest item, so that the exception thrown does not depend on thread timing.
class FirstError {
 public:
  void keep(std::size_t item) {
    const std::lock_guard lock(mutex_);
    if (!error_ || item < item_) {
      error_ = std::current_exception();
      item_ = item;
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t item_ = 0;
};

}  // namespace

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  const std::size_t workers = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(1, threads)));
  FirstError error;
  Limits* const limits = current_limits();
  const auto guarded = [&](std::size_t i) {
    const FpGuard guard;
    const LimitsScope scope(limits);
    try {
      body(i);
    } catch (...) {
      error.keep(i);
    }
  };
  if (workers <= 1) {
    for (std::size_t i = 0; i < count; ++i) guarded(i);
    return error.rethrow();
  }
#ifdef GRAZE_PARALLEL_TBB
  // TBB prints a warning on the caller's stderr for an arena that is larger than the machine.
  tbb::task_arena arena(std::min(static_cast<int>(workers), tbb::info::default_concurrency()));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, guarded, tbb::simple_partitioner{}); });
#else
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) guarded(i);
  };
  std::vector<std::thread> pool;
  for (std::size_t w = 1; w < workers; ++w) pool.emplace_back(work);
  work();
  for (std::thread& t : pool) t.join();
#endif
  error.rethrow();
}

}  // namespace graze::core
