// SPDX-License-Identifier: MIT
#pragma once

#include "world/record/recorder.hpp"
#include "world/state.hpp"

namespace graze::world {

/// Held by every call that changes the world. Excludes other calls while callbacks run in parallel, and records the
/// call once it has succeeded. Nested calls are not recorded: replaying the outer call repeats them.
class Noting {
 public:
  explicit Noting(State& state) : access_(state), state_(state) { ++state.call_depth; }
  ~Noting() { --state_.call_depth; }
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;

  template <class... Value>
  void note(std::string_view call, const Value&... values) const {
    if (state_.recorder && state_.call_depth == 1) state_.recorder->line(call, values...);
  }

 private:
  Access access_;
  State& state_;
};

}  // namespace graze::world
