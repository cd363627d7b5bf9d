// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <graze/ask/many.hpp>

#include "ask/motion_free.hpp"

namespace graze {

/// What one thread of a batch uses again and again.
struct ManySlot {
  FirstContactCoherence coherence;
  ask::MotionFreeRoom motion_free;
};

struct ManyMemory::State {
  std::optional<Body> a, b;     ///< the pair that the slots served last
  std::vector<ManySlot> slots;  ///< one for each thread
};

}  // namespace graze
