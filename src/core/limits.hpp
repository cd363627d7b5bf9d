// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <graze/core/limits.hpp>

namespace graze::core {

/// Thrown by `Poll` to end a query from any depth; caught by `run_within`. Never leaves the library.
struct Stopped {};

/// When a query must end without an answer. Made by every public query from its options, and found by the code below it
/// as `current_limits()`. A query inside another one (`distance` asks `collide`) also ends when the outer one must.
class Limits {
 public:
  using Clock = std::chrono::steady_clock;

  Limits() = default;
  Limits(const CancelToken& cancel, std::optional<std::chrono::nanoseconds> budget, std::uint64_t work_allowed = 0);
  /// From a query's options.
  template <class Options>
  explicit Limits(const Options& options) : Limits(options.cancel, options.budget, options.work) {}
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

  const std::atomic<bool>* stop = nullptr;         ///< set by another thread that no longer needs the answer
  std::optional<Clock::time_point> deadline = {};  ///< not started after this time
  std::uint64_t work = 0;                          ///< steps of this query alone; 0: no limit. Counted by one thread
  Limits* outer = nullptr;                         ///< of the enclosing query

  /// Must the query end, for a reason other than work? Reading the clock takes as long as a step of a fast method: it
  /// may be left out.
  bool stopped(bool read_clock = true) {
    if (stop && stop->load(std::memory_order_relaxed)) return end();
    if (read_clock && deadline && Clock::now() >= *deadline) return end();
    return outer && outer->stopped(read_clock);
  }
  /// Ends the query; true.
  bool end() {
    cut_.store(true, std::memory_order_relaxed);
    return true;
  }
  /// Has it been ended?
  bool cut() const { return cut_.load(std::memory_order_relaxed) || (outer && outer->cut()); }

  /// Counts a step. Throws `Stopped` if it is one too many.
  void spend() {
    if (work == 0) return;
    if (used_ < work) {
      ++used_;
      return;
    }
    end();
    throw Stopped();
  }
  bool limits_anything() const { return stop || deadline || work > 0; }
  /// May a question that takes less than a microsecond be answered without `run_within`? Not if steps are counted, nor
  /// if the query has to end already.
  bool allow_at_once();

 private:
  std::atomic<bool> cut_{false};
  std::uint64_t used_ = 0;
};

/// The limits of the query that this thread works on; null: none. `parallel_for` passes them on to its threads.
Limits* current_limits();

inline bool Limits::allow_at_once() {
  if (work > 0) return false;
  outer = current_limits();
  return !stopped();
}

/// Makes limits the current ones of this thread.
class LimitsScope {
 public:
  explicit LimitsScope(Limits* limits);
  ~LimitsScope();
  LimitsScope(const LimitsScope&) = delete;
  LimitsScope& operator=(const LimitsScope&) = delete;

 private:
  Limits* before_;
};

/// Runs a query as `run(limits)`, where null means that nothing limits it. False: it was ended, by `Stopped` or by code
/// that looked at the limits itself.
template <class Run>
bool run_within(Limits& limits, Run&& run) {
  limits.outer = current_limits();
  if (!limits.outer && !limits.limits_anything()) {
    run(static_cast<Limits*>(nullptr));
    return true;
  }
  const LimitsScope scope(&limits);
  if (limits.stopped()) return false;
  try {
    run(&limits);
  } catch (const Stopped&) {
    limits.end();
  }
  return !limits.cut();
}

/// To be called after `run_within`, when the result is filled in. If the enclosing query has been ended, its code must
/// not use the answer of this one.
inline void leave_if_outer_ended(const Limits& limits) {
  if (limits.outer && limits.outer->cut()) throw Stopped();
}

/// For loops that may take long: `poll()` throws `Stopped` if the query must end. Without limits it costs a comparison.
/// Made where the loop is, in its thread; not kept from query to query.
class Poll {
 public:
  Poll() : limits_(current_limits()) {}
  void operator()() {
    if (limits_) look(1);
  }
  /// For steps that are so short that looking at every 64th is enough.
  void rarely() {
    if (limits_ && ++calls_ % 64 == 0) look(64);
  }
  /// The same, for steps of at least some microseconds that `work` does not count.
  void only_time() {
    if (limits_ && limits_->stopped()) throw Stopped();
  }

 private:
  void look(unsigned every);

  Limits* limits_;
  unsigned calls_ = 0;
};

/// For a place that is reached rarely.
inline void poll_once() { Poll().only_time(); }

/// Must the current query end? For code that then ends in an orderly way by itself.
inline bool stop_requested() {
  Limits* const limits = current_limits();
  return limits && limits->stopped();
}

/// Counts the steps of one thread, for code that ends in an orderly way by itself. A copy counts by itself, from there.
class Steps {
 public:
  /// `work`: 0: no limit. Time and cancellation are those of the current limits.
  explicit Steps(std::uint64_t work)
      : left_(work > 0 ? work : std::numeric_limits<std::uint64_t>::max()), limits_(current_limits()) {}
  /// Takes one step; false if none is left. The clock is read now and then.
  bool take() {
    if (left_ == 0) return false;
    --left_;
    if (!limits_ || !limits_->stopped(left_ % 16 == 0)) return true;
    left_ = 0;
    return false;
  }

 private:
  std::uint64_t left_;
  Limits* limits_;
};

}  // namespace graze::core
