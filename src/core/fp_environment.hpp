// SPDX-License-Identifier: MIT
#pragma once

#include "core/portability.hpp"

namespace graze::core {

/// Captures the floating-point environment of the thread that constructs it. For callbacks: they run in their caller's
/// environment (docs/design.md 2) although worker threads hold an FpGuard.
class FpEnvironment {
 public:
  FpEnvironment() : value_(FpState::current()) {}
  void enter() const { value_.set(); }

 private:
  FpState value_;
};

}  // namespace graze::core
