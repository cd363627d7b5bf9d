// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace graze::query {

/// Seconds since some moment, for the times of the stages.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace graze::query
