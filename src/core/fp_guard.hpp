// SPDX-License-Identifier: MIT
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace graze::core {

/// Sets round-to-nearest, without flush-to-zero and without traps, from construction to destruction; then restores the
/// caller's floating-point environment, including its sticky flags (docs/design.md 2). Every public call and every
/// worker thread holds one. Our error bounds hold in this environment only.
class FpGuard {
 public:
  FpGuard(const FpGuard&) = delete;
  FpGuard& operator=(const FpGuard&) = delete;
#if defined(__SSE2__)
  // On this architecture doubles are computed in SSE registers, so MXCSR is the whole environment.
  FpGuard() : saved_(_mm_getcsr()) { _mm_setcsr(0x1F80); }
  ~FpGuard() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
#else
  FpGuard() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FpGuard() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
};

}  // namespace graze::core
