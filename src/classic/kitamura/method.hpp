// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

#include <graze/ask/interference.hpp>

#include "classic/kitamura/scene.hpp"

namespace graze::classic::kitamura {

/// One query to a method of `interference`.
struct InterferenceQuery {
  const Scene& scene;
  const InterferenceOptions& options;
};

// A method is a type with
//   static constexpr InterferenceTraits traits;
//   static void run(const InterferenceQuery&, InterferenceResult&);
// `run` gets a cleared result and sets pairs (in canonical order), counters and the seconds of its stages; status and
// total are added by interference.cpp.

/// Adds the time since the last call to a stage's seconds.
class StageClock {
 public:
  void add_to(double& seconds) {
    const auto now = std::chrono::steady_clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace graze::classic::kitamura
