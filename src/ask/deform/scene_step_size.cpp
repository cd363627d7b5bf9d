// SPDX-License-Identifier: MIT
// How far may all bodies of a scene go together?
#include <algorithm>

#include "ask/deform/scene_data.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/step_checks.hpp"
#include "math/vectors.hpp"

namespace graze {

/// Every contact of the deforming bodies on straight lines; for curved paths, what crosses at the start.
void DeformScene::Data::ask_soft(const DeformOptions& options, SceneResult& result, AllCounters& counters) {
  DeformOptions asked = options;
  MethodCounters of_method;
  asked.method_counters = options.method_counters ? &of_method : nullptr;
  const bool curved = any_curved();
  of_soft.time.safe = 0;
  try {
    soft->contacts(curved ? now : next, asked, of_soft);
  } catch (const core::Stopped&) {
    if (!curved) certified.straight = of_soft.time.safe;
    throw;
  }
  if (of_soft.status == Status::undecided) {
    if (!curved) certified.straight = of_soft.time.safe;
    throw core::Stopped();
  }
  counters += of_soft.counters;
  static_cast<MethodCounters&>(counters) += of_method;
  if (!curved) {
    for (const DeformContact& c : of_soft.contacts) add(c, result);
    if (!of_soft.contacts.empty()) result.time.safe = of_soft.time.safe;  // of all that it saw, not of those listed
  }
  for (const TrianglePair& p : of_soft.crossing_at_start) add_crossing(p, result);
  for (const EdgeCrossing& c : of_soft.edges_crossing_at_start) add_crossing(c, result);
}

void DeformScene::Data::ask_soft_step_size(const StepSizeOptions& options, SceneResult& result, AllCounters& counters) {
  StepSizeOptions asked = options;  // with the caller's limits, so that it says what it has certified
  const core::Limits* const limits = core::current_limits();
  if (limits && limits->deadline) asked.budget = *limits->deadline - core::Limits::Clock::now();
  MethodCounters of_method;
  asked.method_counters = options.method_counters ? &of_method : nullptr;
  const StepSize s = soft->step_size(next, asked);
  if (s.status == Status::undecided) {
    certified.straight = s.time.safe;
    throw core::Stopped();
  }
  counters += s.counters;
  static_cast<MethodCounters&>(counters) += of_method;
  result.time.safe = std::min(result.time.safe, s.time.safe);
  if (s.first) add(*s.first, result);
  if (s.crossing_at_start) add_crossing(*s.crossing_at_start, result);
  if (s.edge_crossing_at_start) add_crossing(*s.edge_crossing_at_start, result);
}

SceneStepSize DeformScene::step_size(const StepSizeOptions& options) {
  const core::FpGuard guard;
  DeformOptions asked;
  asked.self = options.self;
  asked.all = false;
  asked.tolerance = options.tolerance;
  asked.min_separation = options.min_separation;
  asked.crossing_at_start = !options.ignore_start_crossings;
  asked.threads = options.threads;
  asked.work = options.work;
  asked.budget = options.budget;
  asked.cancel = options.cancel;
  asked.method_counters = options.method_counters;
  core::clear(options.method_counters);
  SceneStepSize out;
  out.time = {0, math::not_a_number};
  if (core::refused(out, data_->problem(asked)) || core::refused(out, engine::deform::slack_problem(options.slack)))
    return out;
  SceneResult r;
  data_->ask(asked, &options, r);
  out.tolerance = r.tolerance;
  out.counters = r.counters;
  if (core::refused(out, r.error)) return out;
  if (r.status == Status::undecided) {
    out.time.safe = r.time.safe;
    out.step = (1 - options.slack) * r.time.safe;
    return out;
  }
  if (!r.contacts.empty()) out.first = r.contacts[0];
  if (!r.crossing_at_start.empty()) out.crossing_at_start = r.crossing_at_start[0];
  if (!r.edges_crossing_at_start.empty()) out.edge_crossing_at_start = r.edges_crossing_at_start[0];
  if (out.crossing_at_start || out.edge_crossing_at_start || (out.first && !(r.time.safe > 0))) {
    out.status = Status::touching_at_start;
    if (out.first) out.time.touch = r.time.touch;
    return out;
  }
  out.time = r.time;
  out.status = r.status;
  out.step = out.first ? (1 - options.slack) * r.time.safe : 1;
  return out;
}

}  // namespace graze
