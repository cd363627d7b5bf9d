// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include <graze/ask/first_contact.hpp>

namespace graze::engine::first_contact {

/// The cost that a caller allows for a query.
class Budget {
 public:
  explicit Budget(const FirstContactOptions& options)
      : work_(options.work > 0 ? options.work : std::numeric_limits<std::uint64_t>::max()),
        timed_(options.seconds > 0),
        until_(timed_ ? now() + options.seconds : 0) {}
  /// Takes one step; false if none is left. The clock is read every 64 steps.
  bool take() {
    if (work_ == 0) return false;
    --work_;
    if (!timed_ || work_ % 64 != 0 || now() < until_) return true;
    work_ = 0;
    return false;
  }

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  std::uint64_t work_;
  bool timed_;
  double until_;
};

/// The options with the remaining budget for the next stage of a query: at least one step, because 0 would mean no
/// limit.
inline FirstContactOptions what_is_left(FirstContactOptions options, const Counters& used, double seconds) {
  if (options.work > 0) options.work = options.work > used.queue_pops ? options.work - used.queue_pops : 1;
  if (options.seconds > 0) options.seconds = std::max(options.seconds - seconds, 1e-9);
  return options;
}

}  // namespace graze::engine::first_contact
