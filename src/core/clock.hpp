// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace graze::core {

/// Seconds since an arbitrary fixed moment, for timing the stages.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace graze::core
