// SPDX-License-Identifier: MIT
// How far may the vertices go before anything touches?
#include <algorithm>
#include <optional>

#include "core/clock.hpp"
#include "core/counter_sum.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/deform_data.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/walk/parting.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

/// The earliest contact is asked for; everything else is as for `contacts`.
DeformOptions question_of(const StepSizeOptions& options) {
  DeformOptions asked;
  asked.self = options.self;
  asked.all = false;
  asked.tolerance = options.tolerance;
  asked.min_separation = options.min_separation;
  asked.threads = options.threads;
  asked.method_counters = options.method_counters;
  return asked;
}

}  // namespace

void Deformable::Data::name_crossing(const TrianglePair& p, StepSize& result) const {
  result.edge_crossing_at_start = loose_edge(p);
  if (!result.edge_crossing_at_start) result.crossing_at_start = p;
}

/// Do the triangles that touch at the start part, and so do not stop the step before `until`? Those that cross are
/// ignored or have stopped it already. Reports the first pair that does not part.
bool Deformable::Data::touching_part(std::span<const Vec3> next, double until, StepSize& result) const {
  for (std::size_t i = 0; i < start.pairs.size(); ++i) {
    const TrianglePair& p = start.pairs[i];
    if (start.crossing[i] || engine::deform::triangles_part(topology->triangle(index(p.a)),
                                                            topology->triangle(index(p.b)), {positions, next}, until))
      continue;
    name_crossing(p, result);
    return false;
  }
  return true;
}

void Deformable::Data::measure_step(std::span<const Vec3> next, const StepSizeOptions& options,
                                    const DeformOptions& asked, StepSize& result) {
  const auto stop_at_start = [&] {
    result.status = Status::touching_at_start;
    result.time = {0, math::not_a_number};
  };
  refit(next, asked, earliest);
  const double refitted = core::now();
  if (!options.ignore_start_crossings) {
    list_crossings(options.self, asked.threads, earliest.counters);
    earliest.seconds.start = core::now() - refitted;
    const bool parting = options.ignore_start_if_separating;
    for (std::size_t i = 0; i < start.pairs.size(); ++i)
      if (start.crossing[i] || !parting) {
        name_crossing(start.pairs[i], result);
        return stop_at_start();
      }
  }
  find(next, asked, options.ignore_start_if_separating, earliest);
  const double safe = std::min(1.0, walk.safe());
  if (!earliest.contacts.empty()) result.first = earliest.contacts[0];
  result.time = {safe, result.first ? result.first->time.touch : math::not_a_number};
  if (safe == 0) {
    result.status = Status::touching_at_start;
    return;
  }
  // Without the list of the start, it is needed where features touch.
  if (walk.touched()) list_crossings(options.self, asked.threads, earliest.counters);
  if ((walk.touched() || !options.ignore_start_crossings) && !touching_part(next, safe, result)) return stop_at_start();
  result.status = result.first ? Status::contact : Status::free;
  result.step = result.first ? (1 - options.slack) * safe : 1;
}

/// What a search that a limit ended had certified. It begins after the start was examined.
double Deformable::Data::certified_until(std::span<const Vec3> next, const StepSizeOptions& options) const {
  const double safe = std::min(walk.certified(), walk.safe());
  if (!(safe > 0)) return 0;
  if (options.ignore_start_crossings) return walk.touched() ? 0 : safe;
  StepSize unused;
  return touching_part(next, safe, unused) ? safe : 0;
}

void Deformable::Data::step_size(std::span<const Vec3> next, const StepSizeOptions& options, StepSize& result) {
  core::clear(options.method_counters);
  result.time = {0, math::not_a_number};
  DeformOptions asked = question_of(options);
  if (core::refused(result, engine::deform::step_positions_problem(next, positions.size())) ||
      core::refused(result, engine::deform::step_options_problem(asked)) ||
      core::refused(result, engine::deform::slack_problem(options.slack)))
    return;
  const double begin = core::now();
  if (options.work > 0) asked.threads = 1;  // work is counted by one thread
  earliest.contacts.clear();
  earliest.counters = {};
  earliest.seconds = {};
  core::Limits limits(options);
  walk.forget();
  if (!core::run_within(limits, [&](core::Limits*) { measure_step(next, options, asked, result); })) {
    if (!intact) forget_structures();  // the next question builds them anew
    result = StepSize{};
    result.time = {certified_until(next, options), math::not_a_number};
    result.step = (1 - options.slack) * result.time.safe;
  }
  result.counters = earliest.counters;
  result.seconds = earliest.seconds;
  result.seconds.total = core::now() - begin;
  core::leave_if_outer_ended(limits);
}

}  // namespace graze
