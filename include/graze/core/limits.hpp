// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include <graze/core/export.hpp>

namespace graze {

/// Tells a query that its answer is no longer needed. A copy refers to the same request. A token that was constructed
/// by default is never cancelled, and holds no memory.
///
/// Every query that can take long has three limits in its options:
///
///   work    at most this many steps; 0: no limit. Reproducible: the same answer on every machine and for any number of
///           threads. What a step is differs from query to query; it takes about a microsecond.
///   budget  at most this much time; none: no limit. Not reproducible. A budget of 0 or less has already run out.
///   cancel  until this token is cancelled, from any thread.
///
/// A query that a limit ends returns `Status::undecided` (within about 10 ms of a cancellation), never a wrong answer:
/// what had been certified until then is in its result. A limit has no effect on a query that ends before it.
class CancelToken {
 public:
  CancelToken() = default;
  bool cancelled() const { return flag_ && flag_->load(std::memory_order_relaxed); }

  /// For the library's own use. Null: never cancelled.
  const std::atomic<bool>* flag() const { return flag_.get(); }

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}
  std::shared_ptr<const std::atomic<bool>> flag_;
};

/// Makes tokens and cancels them:
///
///   CancelSource source;
///   options.cancel = source.token();
///   source.cancel();  // in another thread, while the query runs, or before
///
/// A copy refers to the same request. Thread-safe. There is no way back: use a new source for the next queries.
class CancelSource {
 public:
  CancelSource() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  CancelToken token() const { return CancelToken(flag_); }
  void cancel() const { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace graze
