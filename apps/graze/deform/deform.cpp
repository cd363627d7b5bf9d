// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <fstream>
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
#include <graze/ask/deform_bodies.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/ask/step_proof.hpp>
#include <graze/core/error.hpp>
#include <graze/io/mesh_file.hpp>

#include "command.hpp"
#include "deform/deform_bodies.hpp"
#include "deform/deform_frames.hpp"
#include "deform/deform_instants.hpp"
#include "deform/deform_near.hpp"
#include "input/certificate_file.hpp"
#include "input/choices.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

struct DeformCommand {
  std::vector<std::string> frames;
  bool self = false, first = false, all = false, exact = false, no_start = false, breaking = false, json = false;
  std::string tolerance, min_separation, near, pairs, certificate, bodies, method = "iccd";
  int threads = 1;
};

constexpr const char* deform_footer =
    "Every vertex moves straight from one frame to the next. Without --self only bodies are tested against each "
    "other: the\n"
    "connected pieces of the mesh, or what --bodies says, or the files of a frame that is given as several, "
    "body.obj+ball.obj.\n\n"
    "Methods over time: iccd, and brute, which tests every pair of features (small meshes). Methods that look at the "
    "frames\n"
    "only, and know nothing of what is in between: kitamura, octree_update, tree.\n"
    "Exit status: 0 answered, 2 bad usage or input, 3 undecided: such a method found nothing in some step.\n\n"
    "Examples:\n"
    "  graze make cloth_sheet --triangles 2000 -o before.obj\n"
    "  graze make cloth_sheet --triangles 2000 -o after.obj\n"
    "  graze deform before.obj after.obj --self\n"
    "  graze deform before.obj after.obj --self --exact --pairs contacts.csv --json\n"
    "  graze deform after.obj --near 0.001 --self --json\n"
    "  graze make sphere -o ball.obj\n"
    "  graze deform before.obj+ball.obj after.obj+ball.obj --method kitamura";

const char* kind_name(ElementaryKind kind) { return kind == ElementaryKind::vertex_face ? "vf" : "ee"; }

std::size_t count(const DeformResult& r, ElementaryKind kind) {
  std::size_t n = 0;
  for (const DeformContact& c : r.contacts) n += c.kind == kind;
  return n;
}

Json bracket_json(const TimeBracket& time) {
  const auto number = [](double x) { return x == x ? Json(x) : Json(); };
  return {number(time.safe), number(time.touch)};
}

/// The same answer by pairs of bodies.
Json between_json(const DeformResult& r, const Mesh& mesh, const BodySplit& split) {
  Json list = Json::array();
  const auto count = [](const BodyPairContacts& p, ElementaryKind kind) {
    return std::count_if(p.contacts.begin(), p.contacts.end(), [&](const DeformContact& c) { return c.kind == kind; });
  };
  for (const BodyPairContacts& p : by_bodies(r, mesh, split.of_polygon)) {
    Json& pair = list.emplace_back();
    pair["bodies"] = {p.a, p.b};
    pair["time"] = bracket_json(p.time);
    pair["vf"] = count(p, ElementaryKind::vertex_face);
    pair["ee"] = count(p, ElementaryKind::edge_edge);
    pair["crossing_at_start"] = p.crossing_at_start.size();
  }
  return list;
}

Json step_json(const DeformResult& r, const MethodCounters& of_method, const std::string& method, const Mesh& mesh,
               const BodySplit& split, std::size_t bytes) {
  Json out;
  out["version"] = 1;
  out["method"] = method;
  out["status"] = graze::name(r.status);
  out["time"] = bracket_json(r.time);
  out["vf"] = count(r, ElementaryKind::vertex_face);
  out["ee"] = count(r, ElementaryKind::edge_edge);
  Json& crossing = out["crossing_at_start"] = Json::array();
  for (const TrianglePair& p : r.crossing_at_start) crossing.push_back({index(p.a), index(p.b)});
  out["bodies"] = split.count;
  out["between"] = between_json(r, mesh, split);
  if (bytes > 0) out["bytes"] = bytes;
  out["counters"] = to_json(r.counters, &of_method);
  out["seconds"] = {{"total", r.seconds.total},
                    {"build", r.seconds.build},
                    {"refit", r.seconds.refit},
                    {"patches", r.seconds.patches},
                    {"traversal", r.seconds.traversal},
                    {"elementary", r.seconds.elementary},
                    {"crossing_at_start", r.seconds.start}};
  return out;
}

void print_step(const DeformResult& r) {
  fmt::print("{}", coloured(graze::name(r.status), r.status));
  if (!r.contacts.empty()) fmt::print(", first at t = {}", r.time.touch);
  fmt::print("\n  {} vertex/face and {} edge/edge contacts, {} triangle pairs cross at the start\n  {} in all\n",
             count(r, ElementaryKind::vertex_face), count(r, ElementaryKind::edge_edge), r.crossing_at_start.size(),
             time_text(r.seconds.total));
}

class PairsFile {
 public:
  PairsFile(const std::string& name, bool steps) : name_(name), steps_(steps) {
    if (name.empty()) return;
    file_.open(name);
    file_ << "kind,a,b,c,d,t_safe,t_touch" << (steps ? ",step" : "") << '\n';
    check();
  }
  void write(const std::vector<std::string>& lines, std::size_t step) {
    if (name_.empty()) return;
    for (const std::string& line : lines) {
      file_ << line;
      if (steps_) file_ << ',' << step;
      file_ << '\n';
    }
    file_.flush();
    check();
  }

 private:
  void check() const {
    if (file_) return;
    throw Error({.code = ErrorCode::cannot_write,
                 .message = "the pairs could not be written; is the folder there and writable?",
                 .element = {},
                 .id = ErrorDetail::none,
                 .file = name_,
                 .line = ErrorDetail::none});
  }
  std::string name_;
  bool steps_;
  std::ofstream file_;
};

std::vector<std::string> csv_lines(const DeformResult& r) {
  std::vector<std::string> lines;
  for (const DeformContact& c : r.contacts)
    lines.push_back(fmt::format("{},{},{},{},{},{},{}", kind_name(c.kind), c.vertices[0], c.vertices[1], c.vertices[2],
                                c.vertices[3], c.time.safe, c.time.touch));
  return lines;
}

/// Drops contacts within a body: contacts between its components are self-contacts, which were not requested.
void keep_between_bodies(const BodySplit& split, const Mesh& mesh, bool first_only, DeformResult& r) {
  const auto& body = split.of_vertex;
  std::erase_if(r.contacts, [&](const DeformContact& c) {
    return body[c.vertices[0]] == body[c.vertices[c.kind == ElementaryKind::vertex_face ? 1 : 2]];
  });
  std::erase_if(r.crossing_at_start, [&](const TrianglePair& p) {
    return body[mesh.triangles()[index(p.a)][0]] == body[mesh.triangles()[index(p.b)][0]];
  });
  const auto first =
      std::min_element(r.contacts.begin(), r.contacts.end(),
                       [](const DeformContact& x, const DeformContact& y) { return x.time.touch < y.time.touch; });
  r.time = first == r.contacts.end() ? TimeBracket{1, std::numeric_limits<double>::quiet_NaN()} : first->time;
  if (r.contacts.empty() && r.crossing_at_start.empty()) r.status = Status::free;
  if (first_only && !r.contacts.empty()) r.contacts = {DeformContact(*first)};
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
  return options;
}

/// Tests the instants of the frames only.
int run_discrete(const DeformCommand& command) {
  for (const auto& [given, option] : {std::pair{!command.tolerance.empty(), "--tolerance"},
                                      {!command.min_separation.empty(), "--min-separation"},
                                      {command.no_start, "--no-start"}})
    if (given)
      refuse_option(option,
                    fmt::format("method {} looks at the frames only, exactly; use --method iccd", command.method));
  if (command.breaking && !command.bodies.empty())
    refuse_option("--breaking", "which polygons are one body may change with every break; ask without --bodies");
  const Frame first = load_frame(command.frames[0]);
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
      std::puts(step_json(step, command.method, split.count).dump().c_str());
    else
      print_step(step);
    pairs.write(csv_lines(step), i - 1);
    start = std::move(end);
  }
  return undecided ? exit_undecided : exit_answered;
}

/// A certificate of a free step covers the whole query, so options that change the query are refused.
void check_certificate_options(const DeformCommand& command) {
  if (command.certificate.empty()) return;
  const bool other = command.no_start || command.breaking;
  if (command.frames.size() != 2 || other)
    refuse_option("--certificate", "proves one step: two frames, and none of --no-start, --breaking");
}

void save_step_proof(const DeformCommand& command, const BodySplit& split, const DeformResult& result, const Mesh& mesh,
                     std::span<const Vec3> end) {
  std::optional<StepProof> proof;
  if (result.status == Status::free) {
    StepProofOptions options;
    options.self = command.self;
    if (!split.components) options.bodies = split.of_polygon;
    if (!command.min_separation.empty())
      options.min_separation = parse_option_number(command.min_separation, "--min-separation");
    proof = prove_step(mesh, mesh.positions(), end, options);
    if (!proof)
      fmt::print(stderr, "graze: the step is free, but by less than doubles can prove: no certificate is written\n");
  }
  save_or_remove(command.certificate, proof ? &proof->text : nullptr);
}

/// Tests the whole motion between frames.
int run_continuous(const DeformCommand& command) {
  check_certificate_options(command);
  DeformOptions options = deform_options(command);
  MethodCounters of_method;
  options.method_counters = &of_method;
  const Frame first = load_frame(command.frames[0]);
  if (command.breaking && !command.bodies.empty())
    refuse_option("--breaking", "which polygons are one body may change with every break; ask without --bodies");
  BodySplit split = split_bodies(first, command.bodies);
  std::optional<Deformable> mesh;
  if (command.method == "iccd") mesh.emplace(first.mesh);
  std::vector<Vec3> from(first.mesh.positions().begin(), first.mesh.positions().end());
  PairsFile pairs(command.pairs, command.frames.size() > 2);
  Progress progress(command.frames.size() - 1);
  DeformResult result;
  Mesh current = first.mesh;
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
    else
      result = deform_brute(current, from, next.mesh.positions(), options);
    if (result.error) throw Error(*result.error);
    from.assign(next.mesh.positions().begin(), next.mesh.positions().end());
    if (several_pieces) keep_between_bodies(split, current, command.first, result);
    if (!command.certificate.empty()) save_step_proof(command, split, result, first.mesh, next.mesh.positions());
    progress.step();
    progress.before_output();
    if (command.json)
      std::puts(step_json(result, of_method, command.method, current, split, mesh ? mesh->bytes() : 0).dump().c_str());
    else
      print_step(result);
    pairs.write(csv_lines(result), i - 1);
  }
  return exit_answered;
}

std::vector<std::string> deform_methods() {
  std::vector<std::string> names{"iccd", "brute"};
  for (const InterferenceTraits& m : interference_methods())
    if (is_discrete(std::string(m.name))) names.emplace_back(m.name);
  return names;
}

int run(const DeformCommand& command) {
  if (!command.near.empty()) {
    for (const auto& [given, option] : {std::pair{!command.tolerance.empty(), "--tolerance"},
                                        {!command.min_separation.empty(), "--min-separation"},
                                        {command.first, "--first"},
                                        {command.exact, "--exact"},
                                        {command.breaking, "--breaking"},
                                        {command.no_start, "--no-start"},
                                        {!command.pairs.empty(), "--pairs"},
                                        {!command.certificate.empty(), "--certificate"}})
      if (given) refuse_option(option, "is about steps between frames; --near is about each frame");
    return run_near(
        {command.frames, command.near, command.bodies, command.method, command.self, command.json, command.threads});
  }
  if (command.frames.size() < 2) refuse_option("frames", "a step needs two frames; --near D needs only one");
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
         "Two or more frames with the same polygons: a mesh file, or several as a.obj+b.obj; with --near one or more")
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
  add_text(*app, "--tolerance", command->tolerance, "A distance; default relative to each pair of features", "T");
  add_text(*app, "--min-separation", command->min_separation, "Contact means: at most this far apart", "D");
  add_text(*app, "--near", command->near,
           "Instead of steps: which features are at most D apart in each frame, and their closest points", "D");
  add_text(*app, "--pairs", command->pairs, "Write the contacts as CSV", "OUT.csv");
  add_text(*app, "--certificate", command->certificate, "Write a proof of a free step, for graze-verify", "FILE");
  app->add_option("--threads", command->threads, "How many threads to use")->check(CLI::Range(1, 1024));
  app->add_flag("--json", command->json, "One JSON line a step");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
