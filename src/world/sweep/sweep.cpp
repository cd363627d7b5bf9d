// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <tuple>

#include "ask/shared/first_contact_options.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "world/record/hash.hpp"
#include "world/record/recorder.hpp"
#include "world/sweep/sweep_pass.hpp"

namespace graze {

namespace world {

namespace {

/// Checks the options, even if there is no pair to test.
std::optional<ErrorDetail> mistake_in(const SweepOptions& options) {
  FirstContactOptions o;
  o.method = options.method;
  o.tolerance = options.tolerance;
  if (options.each && (options.earliest || !options.advance))
    return core::bad_option("each", "it needs `advance`, and cannot be combined with `earliest`");
  o.min_separation = options.min_separation;
  o.ignore_start_if_separating = options.min_separation > 0 && options.ignore_start_if_separating;
  return ask::mistake_in(o);
}

/// By (a, b); a pair that touched twice, by time.
void sort_contacts(SweepResult& result) {
  const auto earlier = [](const SweepContact& x, const SweepContact& y) {
    return std::tie(x.a, x.b, x.contact.time.safe) < std::tie(y.a, y.b, y.contact.time.safe);
  };
  if (std::is_sorted(result.contacts.begin(), result.contacts.end(), earlier)) return;
  const std::optional<SweepContact> first =
      result.earliest ? std::optional(result.contacts[*result.earliest]) : std::nullopt;
  std::stable_sort(result.contacts.begin(), result.contacts.end(), earlier);
  std::stable_sort(result.triggers.begin(), result.triggers.end(), earlier);
  if (!first) return;
  const auto at = std::find_if(result.contacts.begin(), result.contacts.end(), [&](const SweepContact& c) {
    return c.a == first->a && c.b == first->b && c.contact.time.safe == first->contact.time.safe;
  });
  result.earliest = static_cast<std::size_t>(at - result.contacts.begin());
}

}  // namespace

}  // namespace world

void World::sweep(const SweepOptions& options, SweepResult& result) try {
  result = SweepResult{};
  core::clear(options.method_counters);
  world::State& state = *state_;
  const world::Asking asking(state);
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  if (state.recorder) state.recorder->flush();
  world::place_moved(state, result.counters);
  bool decided = true;
  if (!core::refused(result, world::mistake_in(options))) {
    if (world::resume_paths(state)) world::place_moved(state, result.counters);
    core::Limits destroyed, limits(options.cancel, options.budget);  // `work` is each pair's own
    destroyed.stop = state.stop;
    decided = core::run_within(destroyed, [&](core::Limits*) {
      const bool ran = core::run_within(limits, [&](core::Limits*) {
        world::Progress progress;
        do {
          if (std::exchange(progress.more, false)) {
            world::resume_paths(state);
            world::place_moved(state, result.counters);
          }
          world::SweepPass(state, options, result, progress).run();
        } while (progress.more);
        world::sort_contacts(result);
      });
      if (!ran) destroyed.end();
    });
    decided = decided && !destroyed.cut();
    if (!decided) result.status = Status::undecided;
    if (!decided && result.contacts.empty()) result.safe = 0;  // ended before any pair was known
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (state.recorder && !decided) return state.recorder->line("sweep_ended");
  if (!state.recorder) return;
  const auto record = [&](std::string_view call, const auto&... first) {
    state.recorder->line(call, first..., options.earliest, options.advance, options.method, options.tolerance,
                         options.ignore_start_if_separating, options.work, world::answer_hash(result));
  };
  if (options.min_separation > 0)
    record(options.each ? "sweep_apart_each" : "sweep_apart", options.min_separation);
  else
    record(options.each ? "sweep_each" : "sweep");
} catch (const Error& error) {  // a pose beyond all doubles; asked from a callback of this world
  result = SweepResult{};
  core::refuse(result, error.detail());
}

SweepResult World::sweep(const SweepOptions& options) {
  SweepResult result;
  sweep(options, result);
  return result;
}

}  // namespace graze
