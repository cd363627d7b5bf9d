// SPDX-License-Identifier: MIT
#pragma once

#include "core/portability.hpp"

namespace graze::core {

/// Sets round-to-nearest, without flush-to-zero and without traps, from construction to destruction; then restores the
/// caller's floating-point environment, including its sticky flags (docs/design.md 2). Every public call and every
/// worker thread holds one. Our error bounds hold in this environment only.
class FpGuard {
 public:
  FpGuard() : saved_(FpState::current()) { FpState::set_standard(); }
  ~FpGuard() { saved_.set(); }
  FpGuard(const FpGuard&) = delete;
  FpGuard& operator=(const FpGuard&) = delete;

 private:
  FpState saved_;
};

}  // namespace graze::core
