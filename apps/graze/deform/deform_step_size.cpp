// SPDX-License-Identifier: MIT
#include "deform/deform_step_size.hpp"

#include <cstdio>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>
#include <graze/core/method_counters.hpp>
#include <graze/core/status.hpp>

#include "command.hpp"
#include "deform/contact_kind.hpp"
#include "deform/deform_bodies.hpp"
#include "deform/deform_filter.hpp"
#include "deform/deform_frames.hpp"
#include "deform/deform_gpu.hpp"
#include "deform/deform_output.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"
#include "output/progress.hpp"

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
  return options;
}

namespace {

Json step_size_json(const StepSize& step, const MethodCounters& of_method) {
  Json out;
  out["version"] = 1;
  out["status"] = graze::name(step.status);
  out["step"] = step.step;
  out["time"] = bracket_json(step.time);
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

void print(const StepSize& step, const MethodCounters& of_method, bool json) {
  if (json) {
    print_line(step_size_json(step, of_method));
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

}  // namespace

void check_step_size_options(const DeformCommand& command) {
  const StepSizeFlags& flags = command.step_size;
  if (!flags.on) {
    for (const auto& [given, option] : {std::pair{!flags.slack.empty(), "--slack"},
                                        {flags.ignore_crossings, "--ignore-start-crossings"},
                                        {flags.count_starts, "--count-starts"}})
      if (given) refuse_option(option, "is about the step size; ask with --step-size");
    return;
  }
  for (const auto& [given, option] : {std::pair{command.method != "iccd", "--method"},
                                      {command.exact, "--exact"},
                                      {command.breaking, "--breaking"},
                                      {command.no_start, "--no-start"},
                                      {!command.bodies.empty() && command.filter.empty(), "--bodies"},
                                      {!command.pairs.empty(), "--pairs"},
                                      {!command.certificate.empty(), "--certificate"}})
    if (given) refuse_option(option, "cannot be combined with --step-size");
}

int run_step_size(const DeformCommand& command, const DeformOptions& shared) {
  MethodCounters of_method;
  StepSizeOptions options = step_size_options(command.step_size, shared);
  options.method_counters = &of_method;
  const Frame first = load_frame(command.frames[0]);
  std::optional<Deformable> mesh;
  std::optional<GpuMesh> on_gpu;
  if (command.gpu)
    on_gpu.emplace(first.mesh);
  else
    mesh.emplace(first.mesh);
  if (!command.filter.empty()) {
    const DeformFilter filter = load_filter(command.filter, first, split_bodies(first, command.bodies));
    if (mesh)
      mesh->set_filter(filter);
    else
      on_gpu->set_filter(filter);
  }
  Progress progress(command.frames.size() - 1);
  bool undecided = false;
  for (std::size_t i = 1; i < command.frames.size(); ++i) {
    const Frame next = load_frame(command.frames[i]);
    check_same_frame(first.mesh, command.frames[0], next.mesh, command.frames[i]);
    const auto to = next.mesh.positions();
    const StepSize step = mesh ? mesh->step_size(to, options) : on_gpu->step_size(to, options);
    if (step.error) throw Error(*step.error);
    undecided = undecided || step.status == Status::undecided;
    if (mesh)
      mesh->set_positions(to);
    else
      on_gpu->set_positions(to);
    progress.step();
    progress.before_output();
    print(step, of_method, command.json);
  }
  return undecided ? exit_undecided : exit_answered;
}

}  // namespace graze::app
