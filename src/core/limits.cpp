// SPDX-License-Identifier: MIT
#include "core/limits.hpp"

#include <algorithm>

namespace graze::core {

namespace {
thread_local Limits* limits_of_thread = nullptr;
}  // namespace

Limits::Limits(const CancelToken& cancel, std::optional<std::chrono::nanoseconds> budget, std::uint64_t work_allowed)
    : stop(cancel.flag()), work(work_allowed) {
  if (!budget) return;
  const Clock::time_point now = Clock::now();
  // Budgets beyond the clock's range, in both directions, would overflow.
  const auto most = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::time_point::max() - now);
  deadline = now + std::chrono::duration_cast<Clock::duration>(std::clamp(*budget, std::chrono::nanoseconds(0), most));
}

Limits* current_limits() { return limits_of_thread; }

LimitsScope::LimitsScope(Limits* limits) : before_(limits_of_thread) { limits_of_thread = limits; }
LimitsScope::~LimitsScope() { limits_of_thread = before_; }

void Poll::look(unsigned every) {
  for (unsigned i = 0; i < every && limits_->work > 0; ++i) limits_->spend();
  if (every > 1 || ++calls_ % 16 == 0) {
    if (limits_->stopped()) throw Stopped();
  } else if (limits_->stopped(false)) {
    throw Stopped();
  }
}

}  // namespace graze::core
