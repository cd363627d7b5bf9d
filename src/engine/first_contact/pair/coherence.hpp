// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/ask/first_contact.hpp>

namespace graze {

/// What a method keeps for a pair of bodies; each method has its own type and uses no other.
struct FirstContactMemory {
  virtual ~FirstContactMemory() = default;
};

struct FirstContactCoherence::State {
  std::unique_ptr<FirstContactMemory> advancement, interval, best_first;
  CollideResult start;  ///< of starts within the tolerance; only its buffers are reused
};

}  // namespace graze
