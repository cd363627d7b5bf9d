// SPDX-License-Identifier: MIT
#pragma once

#include "core/fp_guard.hpp"

namespace graze::core {

/// Captures the floating-point environment of the thread that constructs it. For callbacks: they run in their caller's
/// environment (docs/design.md 2) although worker threads hold an FpGuard.
class FpEnvironment {
 public:
#if defined(__SSE2__)
  FpEnvironment() : value_(_mm_getcsr()) {}
  void enter() const { _mm_setcsr(value_); }

 private:
  unsigned value_;
#else
  FpEnvironment() { std::fegetenv(&value_); }
  void enter() const { std::fesetenv(&value_); }

 private:
  std::fenv_t value_;
#endif
};

}  // namespace graze::core
