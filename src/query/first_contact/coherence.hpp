// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <graze/query/first_contact.hpp>

namespace graze {

/// What a method keeps for a pair of bodies; each method has its own type and looks for nothing else.
struct FirstContactMemory {
  virtual ~FirstContactMemory() = default;
};

struct FirstContactCoherence::State {
  std::unique_ptr<FirstContactMemory> advancement, interval;
};

}  // namespace graze
