// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>
#include <time.h>

namespace graze::testing {

/// Processor time of the calling thread: what other processes do meanwhile does not count, so limits on it hold on a
/// busy machine, too.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// How often the calling thread gave its processor away because it had to wait: for a lock, a condition, a file. Being
/// interrupted by others does not count. Always 0 where the system does not tell.
inline long waits_of_thread() {
#if defined(RUSAGE_THREAD)
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
#else
  return 0;
#endif
}

}  // namespace graze::testing
