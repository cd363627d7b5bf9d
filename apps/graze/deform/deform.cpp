// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/ask/step_proof.hpp>
#include <graze/core/error.hpp>
#include <graze/io/mesh_file.hpp>

#include "command.hpp"
#include "deform/deform_bodies.hpp"
#include "deform/deform_command.hpp"
#include "deform/deform_filter.hpp"
#include "deform/deform_frames.hpp"
#include "deform/deform_gpu.hpp"
#include "deform/deform_instants.hpp"
#include "deform/deform_near.hpp"
#include "deform/deform_output.hpp"
#include "deform/deform_pairs.hpp"
#include "deform/deform_scene.hpp"
#include "deform/deform_step_size.hpp"
#include "input/certificate_file.hpp"
#include "input/choices.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

constexpr const char* deform_footer =
    "Every vertex moves straight from one frame to the next. Without --self only bodies are tested against each "
    "other: the\n"
    "connected pieces of the mesh, or what --bodies says, or the files of a frame that is given as several, "
    "body.obj+ball.obj.\n\n"
    "Methods over time: iccd, and brute, which tests every pair of features (small meshes). Methods that look at the "
    "frames\n"
    "only, and know nothing of what is in between: kitamura, octree_update, tree.\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 undecided: such a method found nothing in some step, or\n"
    "a limit ended one.\n\n"
    "Examples:\n"
    "  graze make cloth_sheet --triangles 2000 -o before.obj\n"
    "  graze make cloth_sheet --triangles 2000 -o after.obj\n"
    "  graze deform before.obj after.obj --self\n"
    "  graze deform before.obj after.obj --self --exact --pairs contacts.csv --json\n"
    "  graze deform before.obj after.obj --self --step-size --min-separation 1e-3\n"
    "  graze deform after.obj --near 0.001 --self --json\n"
    "  graze make sphere -o ball.obj\n"
    "  graze deform before.obj+ball.obj after.obj+ball.obj --method kitamura";

/// Drops contacts within a body: contacts between its components are self-contacts, which were not requested.
void keep_between_bodies(const BodySplit& split, const Mesh& mesh, bool first_only, DeformResult& r) {
  const auto& body = split.of_vertex;
  std::erase_if(r.contacts, [&](const DeformContact& c) {
    return body[c.vertices[0]] == body[c.vertices[c.kind == ElementaryKind::vertex_face ? 1 : 2]];
  });
  std::erase_if(r.crossing_at_start, [&](const TrianglePair& p) {
    return body[mesh.triangles()[index(p.a)][0]] == body[mesh.triangles()[index(p.b)][0]];
  });
  std::erase_if(r.edges_crossing_at_start, [&](const EdgeCrossing& e) {
    return body[mesh.edges()[e.edge][0]] == body[mesh.triangles()[index(e.triangle)][0]];
  });
  const auto first =
      std::min_element(r.contacts.begin(), r.contacts.end(),
                       [](const DeformContact& x, const DeformContact& y) { return x.time.touch < y.time.touch; });
  r.time = first == r.contacts.end() ? TimeBracket{1, std::numeric_limits<double>::quiet_NaN()} : first->time;
  if (r.contacts.empty() && r.crossing_at_start.empty() && r.edges_crossing_at_start.empty()) r.status = Status::free;
  if (first_only && !r.contacts.empty()) r.contacts = {DeformContact(*first)};
}

std::chrono::nanoseconds seconds_as_budget(const std::string& text) {
  const double seconds = parse_option_number(text, "--seconds");
  if (!(seconds >= 0)) refuse_option("--seconds", "must be finite and not negative");
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(seconds, 1e9) * 1e9));
}

DeformOptions deform_options(const DeformCommand& command) {
  DeformOptions options;
  options.self = command.self;
  options.all = !command.first;
  options.exact = command.exact;
  options.crossing_at_start = !command.no_start;
  options.threads = command.threads;
  if (!command.tolerance.empty()) options.tolerance = parse_option_number(command.tolerance, "--tolerance");
  if (!command.min_separation.empty())
    options.min_separation = parse_option_number(command.min_separation, "--min-separation");
  options.work = command.work;
  if (!command.seconds.empty()) options.budget = seconds_as_budget(command.seconds);
  return options;
}

/// Tests the instants of the frames only.
int run_discrete(const DeformCommand& command) {
  for (const auto& [given, option] : {std::pair{!command.tolerance.empty(), "--tolerance"},
                                      {!command.min_separation.empty(), "--min-separation"},
                                      {command.no_start, "--no-start"},
                                      {!command.filter.empty(), "--filter"},
                                      {command.work > 0, "--work"},
                                      {!command.seconds.empty(), "--seconds"}})
    if (given)
      refuse_option(option,
                    fmt::format("method {} looks at the frames only, exactly; use --method iccd", command.method));
  if (command.breaking && !command.bodies.empty())
    refuse_option("--breaking", "which polygons are one body may change with every break; ask without --bodies");
  const Frame first = load_frame(command.frames[0]);
  if (!first.mesh.loose().empty())
    refuse_option("--method",
                  fmt::format("method {} tests polygons only, and this frame has loose edges or points; use "
                              "--method iccd",
                              command.method));
  BodySplit split = split_bodies(first, command.bodies);
  std::optional<Instants> instants(std::in_place, first, split, command.method, command.self, command.threads);
  PairsFile pairs(command.pairs, command.frames.size() > 2);
  Progress progress(command.frames.size() - 1);
  const auto ask = [&](const Mesh& mesh) {
    Instants::Answer answer = instants->ask(mesh);
    if (command.first && answer.pairs.size() > 1) answer.pairs.resize(1);
    return answer;
  };
  Instants::Answer start = ask(first.mesh);
  Mesh current = first.mesh;
  bool undecided = false;
  for (std::size_t i = 1; i < command.frames.size(); ++i) {
    const Frame next = load_frame(command.frames[i]);
    if (!command.breaking) {
      check_same_frame(current, command.frames[i - 1], next.mesh, command.frames[i]);
    } else if (!frame_difference(current, command.frames[i - 1], next.mesh).empty()) {
      // This step starts from the frame before the break.
      current = next.mesh;
      split = split_bodies(next, command.bodies);
      instants.emplace(next, split, command.method, command.self, command.threads);
    }
    Instants::Answer end = ask(next.mesh);
    const InstantsStep step{start, end, i == 1};
    undecided = undecided || step.status() == Status::undecided;
    progress.step();
    progress.before_output();
    if (command.json)
      print_line(step_json(step, command.method, split.count));
    else
      print_step(step);
    pairs.write(csv_lines(step), i - 1);
    start = std::move(end);
  }
  return undecided ? exit_undecided : exit_answered;
}

/// A certificate covers the whole query, so options that change the query are refused.
void check_certificate_options(const DeformCommand& command) {
  if (command.certificate.empty()) return;
  const bool other = command.no_start || command.breaking || !command.filter.empty();
  if (command.frames.size() != 2 || other)
    refuse_option("--certificate", "proves one step: two frames, and none of --no-start, --breaking, --filter");
}

/// Of a step with contacts the time before the first is proved. Returns the end of the proved time, 0 without a proof.
double save_step_proof(const DeformCommand& command, const BodySplit& split, const DeformResult& result,
                       const Mesh& mesh, std::span<const Vec3> end) {
  StepProofOptions options;
  options.self = command.self;
  if (!split.components) options.bodies = split.of_polygon;
  if (!command.min_separation.empty())
    options.min_separation = parse_option_number(command.min_separation, "--min-separation");
  std::optional<StepProof> proof;
  const bool crossing = !result.crossing_at_start.empty() || !result.edges_crossing_at_start.empty();
  if (result.status == Status::contact && !crossing) {
    options.until = result.time.safe;
    for (const DeformContact& c : result.contacts) options.until = std::min(options.until, c.time.safe);
  }
  if (result.status == Status::free || (result.status == Status::contact && !crossing && options.until > 0)) {
    proof = prove_step(mesh, mesh.positions(), end, options);
    if (!proof)
      fmt::print(stderr, "graze: the step is free, but by less than doubles can prove: no certificate is written\n");
    else if (options.until < 1)
      fmt::print(stderr, "graze: the certificate covers the time until t = {}, before the first contact\n",
                 options.until);
  }
  save_or_remove(command.certificate, proof ? &proof->text : nullptr);
  return proof ? options.until : 0;
}

/// Tests the whole motion between frames.
int run_continuous(const DeformCommand& command) {
  check_certificate_options(command);
  DeformOptions options = deform_options(command);
  MethodCounters of_method;
  options.method_counters = &of_method;
  const Frame first = load_frame(command.frames[0]);
  if (command.breaking && !(command.bodies.empty() && command.filter.empty()))
    refuse_option("--breaking",
                  "which polygons are one body may change with every break; ask without --bodies and --filter");
  BodySplit split = split_bodies(first, command.bodies);
  std::optional<Deformable> mesh;
  std::optional<GpuMesh> on_gpu;
  if (command.gpu)
    on_gpu.emplace(first.mesh);
  else if (command.method == "iccd")
    mesh.emplace(first.mesh);
  DeformFilter filter;
  if (!command.filter.empty()) {
    filter = load_filter(command.filter, first, split);
    if (mesh) mesh->set_filter(filter);
    if (on_gpu) on_gpu->set_filter(filter);
  }
  std::vector<Vec3> from(first.mesh.positions().begin(), first.mesh.positions().end());
  PairsFile pairs(command.pairs, command.frames.size() > 2);
  Progress progress(command.frames.size() - 1);
  DeformResult result;
  Mesh current = first.mesh;
  bool undecided = false;
  for (std::size_t i = 1; i < command.frames.size(); ++i) {
    const Frame next = load_frame(command.frames[i]);
    if (!command.breaking) {
      check_same_frame(current, command.frames[i - 1], next.mesh, command.frames[i]);
    } else if (!frame_difference(current, command.frames[i - 1], next.mesh).empty()) {
      const Mesh broken = broken_at_start(current, from, next.mesh, command.frames[i]);
      if (mesh) mesh->replace(broken);
      from.assign(broken.positions().begin(), broken.positions().end());
      current = next.mesh;
      split = split_bodies(next, command.bodies);
    }
    const bool several_pieces = !split.components && !command.self;
    options.all = !command.first || several_pieces;  // the earliest contact may be within one body
    if (mesh)
      mesh->step(next.mesh.positions(), options, result);
    else if (on_gpu)
      result = on_gpu->step(next.mesh.positions(), options);
    else
      result = deform_brute(current, from, next.mesh.positions(), filter, options);
    if (result.error) throw Error(*result.error);
    if (several_pieces) keep_between_bodies(split, current, command.first, result);
    Json details;
    if (command.details) details = details_json(result, current, from, next.mesh.positions(), split, options);
    from.assign(next.mesh.positions().begin(), next.mesh.positions().end());
    const double proved =
        command.certificate.empty() ? 0 : save_step_proof(command, split, result, first.mesh, next.mesh.positions());
    progress.step();
    progress.before_output();
    if (command.json) {
      Json json = step_json(result, of_method, command.method, current, split,
                            mesh     ? mesh->bytes()
                            : on_gpu ? on_gpu->bytes()
                                     : 0);
      if (command.details) json["contacts"] = std::move(details);
      if (!command.certificate.empty()) json["proved_until"] = proved;
      print_line(json);
    } else {
      print_step(result);
    }
    pairs.write(csv_lines(result), i - 1);
    undecided = undecided || result.status == Status::undecided;
  }
  return undecided ? exit_undecided : exit_answered;
}

std::vector<std::string> deform_methods() {
  std::vector<std::string> names{"iccd", "brute"};
  for (const InterferenceTraits& m : interference_methods())
    if (is_discrete(std::string(m.name))) names.emplace_back(m.name);
  return names;
}

int run(const DeformCommand& command) {
  if (command.details &&
      (!command.json || command.step_size.on || !command.near.empty() || is_discrete(command.method)))
    refuse_option("--details", "is about the contacts of steps, with --json");
  check_step_size_options(command);
  check_gpu_options(command);
  if (command.gpu && is_deform_scene(command)) refuse_option("--gpu", "is about frames of one mesh, not about scenes");
  if (is_deform_scene(command)) return run_deform_scene(command, deform_options(command));
  if (!command.near.empty()) {
    for (const auto& [given, option] : {std::pair{!command.tolerance.empty(), "--tolerance"},
                                        {!command.min_separation.empty(), "--min-separation"},
                                        {command.first, "--first"},
                                        {command.exact, "--exact"},
                                        {command.breaking, "--breaking"},
                                        {command.no_start, "--no-start"},
                                        {command.step_size.on, "--step-size"},
                                        {command.work > 0, "--work"},
                                        {!command.seconds.empty(), "--seconds"},
                                        {!command.pairs.empty(), "--pairs"},
                                        {!command.certificate.empty(), "--certificate"}})
      if (given) refuse_option(option, "is about steps between frames; --near is about each frame");
    return run_near({command.frames, command.near, command.bodies, command.method, command.filter, command.self,
                     command.json, command.threads});
  }
  if (command.frames.size() < 2) refuse_option("FRAME...", "a step needs two frames; --near D needs only one");
  if (command.step_size.on) return run_step_size(command, deform_options(command));
  if (is_discrete(command.method)) {
    if (!command.certificate.empty())
      refuse_option("--certificate", "is about the whole step; this method looks at the frames only");
    return run_discrete(command);
  }
  if (command.method == "iccd" || command.method == "brute") return run_continuous(command);
  refuse_option("--method", fmt::format("there is no method \"{}\"; choose one of {}", command.method,
                                        fmt::join(deform_methods(), ", ")));
}

}  // namespace

void add_deform(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<DeformCommand>();
  CLI::App* app =
      graze.add_subcommand("deform", "Which features of a deforming mesh touch between two frames, and when?");
  app->footer(deform_footer);
  app->add_option(
         "frames", command->frames,
         "Two or more frames with the same polygons: a mesh file, or several as a.obj+b.obj; with --near one or more.\n"
         "Or a scene.json of graze world: who touches on the way from each of its frames to the next")
      ->required()
      ->expected(1, 1 << 20)
      ->type_name("FRAME");
  app->add_flag("--self", command->self, "Also contacts of a connected piece with itself");
  CLI::Option* first = app->add_flag("--first", command->first, "Only the earliest contact");
  app->add_flag("--all", command->all, "Every contact of the step; the default")->excludes(first);
  app->add_flag("--exact", command->exact, "Settle what is within the tolerance by exact arithmetic");
  app->add_flag("--breaking", command->breaking,
                "A frame may have other polygons than the one before: there the mesh breaks");
  app->add_flag("--no-start", command->no_start, "Do not look for triangles that cross at the start already");
  offer(add_text(*app, "--method", command->method,
                 "iccd (default) or brute over time; kitamura, octree_update, tree at the frames", "NAME"),
        deform_methods());
  add_text(*app, "--bodies", command->bodies,
           "Which polygons are one body: the first polygon of each, 0,1200, or a file with a number for each polygon",
           "LIST|FILE");
  add_text(*app, "--filter", command->filter,
           "Which bodies may touch each other, and which vertices are fixed: a JSON file (docs/simulation.md)",
           "FILTER.json");
  add_text(*app, "--tolerance", command->tolerance, "A distance; default relative to each pair of features", "T");
  add_text(*app, "--min-separation", command->min_separation, "Contact means: at most this far apart", "D");
  add_text(*app, "--near", command->near,
           "Instead of steps: which features are at most D apart in each frame, and their closest points", "D");
  add_text(*app, "--pairs", command->pairs, "Write the contacts as CSV", "OUT.csv");
  add_text(*app, "--certificate", command->certificate,
           "Write a proof of a free step, or of the time before its first contact, for graze-verify", "FILE");
  add_step_size(*app, command->step_size);
  app->add_option("--work", command->work, "Limit: undecided after so many steps; reproducible (default: none)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()).description(""));
  add_text(*app, "--seconds", command->seconds, "Limit: undecided after so long (default: none)", "S");
  app->add_flag("--gpu", command->gpu, "On the GPU, where graze is built with CUDA (docs/gpu.md)");
  app->add_option("--threads", command->threads, "How many threads to use")->check(CLI::Range(1, 1024));
  app->add_flag("--json", command->json, "One JSON line a step");
  app->add_flag("--details", command->details,
                "With --json: every contact with its closest points, normal, gap, polygons, bodies and end");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
