// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace graze::bench {

inline double read_clock(clockid_t which) {
  timespec now{};
  clock_gettime(which, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU time of this thread in seconds; other processes on the machine are not counted.
inline double thread_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
/// Wall-clock time in seconds: the only clock that shows the gain of a second thread.
inline double wall_seconds() { return read_clock(CLOCK_MONOTONIC); }

}  // namespace graze::bench
