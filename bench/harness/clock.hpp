// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace graze::bench {

inline double read_clock(clockid_t which) {
  timespec now{};
  clock_gettime(which, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds this thread has computed: what other processes do on the machine is not counted.
inline double thread_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
/// Seconds on the wall: the only clock that shows what a second thread brings.
inline double wall_seconds() { return read_clock(CLOCK_MONOTONIC); }

}  // namespace graze::bench
