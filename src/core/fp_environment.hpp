// SPDX-License-Identifier: MIT
#pragma once

#include "core/fp_guard.hpp"

namespace graze::core {

/// The floating-point environment of whoever makes one: for callbacks, which run in their caller's (DESIGN 2) though
/// worker threads hold an FpGuard.
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
