// SPDX-License-Identifier: MIT
#include "deform/deform_step_size.hpp"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <graze/core/status.hpp>

#include "deform/contact_kind.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"

namespace graze::app {

void add_step_size(CLI::App& command, StepSizeFlags& flags) {
  command.add_flag("--step-size", flags.on,
                   "The largest certified share of the way to the next frame,\n"
                   "as a line search needs it; every step starts at its own frame");
  add_text(command, "--slack", flags.slack,
           "With --step-size: stay this share of the way before the contact; default 0.1", "S");
  command.add_flag("--ignore-start-crossings", flags.ignore_crossings,
                   "With --step-size: triangles that cross at the start do not matter");
  command.add_flag("--count-starts", flags.count_starts,
                   "With --step-size: what is in contact at the start stops the step, also if it parts");
}

StepSizeOptions step_size_options(const StepSizeFlags& flags, const DeformOptions& shared) {
  StepSizeOptions options;
  if (!flags.slack.empty()) options.slack = parse_option_number(flags.slack, "--slack");
  options.self = shared.self;
  options.tolerance = shared.tolerance;
  options.min_separation = shared.min_separation;
  options.ignore_start_crossings = flags.ignore_crossings;
  options.ignore_start_if_separating = !flags.count_starts;
  options.threads = shared.threads;
  options.work = shared.work;
  options.budget = shared.budget;
  options.method_counters = shared.method_counters;
  return options;
}

namespace {

Json number_or_null(double x) { return std::isnan(x) ? Json() : Json(x); }

Json step_size_json(const StepSize& step, const MethodCounters& of_method) {
  Json out;
  out["version"] = 1;
  out["status"] = graze::name(step.status);
  out["step"] = step.step;
  out["time"] = {number_or_null(step.time.safe), number_or_null(step.time.touch)};
  out["first"] = nullptr;
  if (step.first)
    out["first"] = {{"kind", contact_kind(*step.first)}, {"vertices", step.first->vertices}, {"gap", step.first->gap}};
  out["crossing_at_start"] = nullptr;
  if (step.crossing_at_start)
    out["crossing_at_start"] = {index(step.crossing_at_start->a), index(step.crossing_at_start->b)};
  out["edge_crossing_at_start"] = nullptr;
  if (step.edge_crossing_at_start)
    out["edge_crossing_at_start"] = {step.edge_crossing_at_start->edge, index(step.edge_crossing_at_start->triangle)};
  out["counters"] = to_json(step.counters, &of_method);
  out["seconds"] = {{"total", step.seconds.total}};
  return out;
}

}  // namespace

void print(const StepSize& step, const MethodCounters& of_method, bool json) {
  if (json) {
    std::puts(step_size_json(step, of_method).dump().c_str());
    return;
  }
  fmt::print("{}, step {}\n", coloured(graze::name(step.status), step.status), step.step);
  if (step.first) {
    const auto& v = step.first->vertices;
    fmt::print("  {} first at t = {}: vertices {} {} {} {}\n",
               step.first->kind == ElementaryKind::vertex_face ? "vertex/face" : "edge/edge", step.time.touch, v[0],
               v[1], v[2], v[3]);
  }
  if (step.crossing_at_start)
    fmt::print("  triangles {} and {} meet at the start\n", index(step.crossing_at_start->a),
               index(step.crossing_at_start->b));
  if (step.edge_crossing_at_start)
    fmt::print("  loose edge {} and triangle {} meet at the start\n", step.edge_crossing_at_start->edge,
               index(step.edge_crossing_at_start->triangle));
  fmt::print("  {} in all\n", time_text(step.seconds.total));
}

}  // namespace graze::app
