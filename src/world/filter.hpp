// SPDX-License-Identifier: MIT
#pragma once

#include "core/limits.hpp"
#include "world/state.hpp"

namespace graze::world {

/// Throws `Error` if the filter names a body that does not exist.
inline void check_filter(const State& state, const BodyFilter& filter) {
  if (filter.except) state.get(*filter.except);
}

inline bool admits(const State& state, const BodyFilter& filter, std::uint32_t slot) {
  if (filter.except && filter.except->slot == slot) return false;
  return !filter.mask || (*filter.mask & state.bodies[slot].settings.group) != 0;
}

/// Runs a question that changes nothing within the limits of its options and of the world. False: it was ended.
template <class Options, class Ask>
bool ask_within_limits(const State& state, const Options& options, Ask&& ask) {
  core::Limits destroyed, limits(options.cancel, options.budget);  // `work` is each body's own
  destroyed.stop = state.stop;
  const bool decided = core::run_within(destroyed, [&](core::Limits*) {
    if (!core::run_within(limits, ask)) destroyed.end();
  });
  return decided && !destroyed.cut();
}

}  // namespace graze::world
