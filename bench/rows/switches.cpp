// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/body/body.hpp>
#include <graze/classic/zachmann.hpp>
#include <graze/core/method_counters.hpp>

#include "rows/rows.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

/// One technique switched off, and the counters that show its effect.
struct Switch {
  std::string_view method, name;
  bool solid = false;
  classic::zachmann::Options options = {};
};

std::vector<Switch> switches() {
  using Start = classic::zachmann::SeparatingPlaneOptions::Start;
  using Options = classic::zachmann::Options;
  return {
      {"brute", "all pre-checks"},
      {"brute", "no edge/box", false, Options{.brute = {.edge_box = false}}},
      {"brute", "no collect phase", false, Options{.brute = {.collect_faces = false}}},
      {"brute", "no edge box/face box", false, Options{.brute = {.edge_face_box = false}}},
      {"brute", "none", false, Options{.brute = {false, false, false}}},
      {"box_tree", "as recommended"},
      {"box_tree", "outside edges not flagged", false, Options{.box_tree = {.flag_outside_edges = false}}},
      {"box_tree", "axis-aligned boxes", false, Options{.box_tree = {.axis_aligned = true}}},
      {"box_tree", "no collect phase", false, Options{.box_tree = {.collect = false}}},
      {"separating_plane", "as recommended", true},
      {"separating_plane", "start: x axis", true, Options{.separating_plane = {.start = Start::x_axis}}},
      {"separating_plane", "start: barycentres", true, Options{.separating_plane = {.start = Start::barycentres}}},
      {"separating_plane", "eta not relaxed", true, Options{.separating_plane = {.relaxation = 1}}},
      {"separating_plane", "eta by badness", true, Options{.separating_plane = {.by_badness = true}}},
      {"separating_plane", "no box phase", true, Options{.separating_plane = {.box_phase = false}}},
      {"sampling", "as recommended", true},
      {"sampling", "points only", true, Options{.sampling = {.vertices_first = false}}},
  };
}

std::string counter_note(const AllCounters& counters) {
  std::string note;
  for_each_counter(counters, [&](const char* name, const char*, std::uint64_t value) {
    if (value > 0) note += fmt::format("{}{} {}", note.empty() ? "" : ", ", name, value);
  });
  return note;
}

struct Trial {
  Body body;
  std::vector<PosePair> poses;
  CollideOptions options = {};
  CollideResult result = {};
  double ask(std::size_t i) {
    collide(body, poses[i].a, body, poses[i].b, options, result);
    return result.status == Status::contact ? 1 : result.status == Status::free ? 0 : -1;
  }
};

}  // namespace

void row_switches(Context& context) {
  const std::size_t count = std::clamp<std::size_t>(context.poses / 20, 5, 50);
  const auto bodies = method_bodies();
  const NamedMesh& shape = bodies[1];  // the sphere of medium size: closed and convex, so that every method applies
  context.progress.begin("switches: finding poses");
  const auto poses = near_touching(count, 0.01, 31, meets(shape.mesh, shape.mesh), [](double) {});
  const Body body(shape.mesh);
  std::vector<Contestant> contestants;
  std::vector<Line> lines;
  std::map<std::string_view, std::vector<double>> expected;  // by method: one-sided ones decide less
  std::map<std::string_view, std::size_t> first;
  for (const Switch& one : switches()) {
    auto trial = std::make_shared<Trial>(Trial{body, poses});
    trial->options.method = one.method;
    trial->options.solid = one.solid;
    trial->options.zachmann = one.options;
    AllCounters cost;
    MethodCounters of_method;
    trial->options.method_counters = &of_method;
    std::vector<double> answers;
    for (std::size_t i = 0; i < count; ++i) {
      answers.push_back(trial->ask(i));
      cost += AllCounters{trial->result.counters, of_method};
    }
    trial->options.method_counters = nullptr;
    const auto& reference = expected.try_emplace(one.method, answers).first->second;
    first.try_emplace(one.method, contestants.size());
    bool contradicts = false;
    for (std::size_t i = 0; i < count; ++i) {
      contradicts = contradicts || (answers[i] >= 0 && reference[i] >= 0 && answers[i] != reference[i]);
    }
    const std::string name = fmt::format("{}: {}", one.method, one.name);
    lines.push_back({"switches",
                     fmt::format("{}, {} poses near touching", shape.name, count),
                     name,
                     {},
                     {},
                     {},
                     contradicts ? Verdict::wrong : Verdict::none,
                     counter_note(cost)});
    contestants.push_back({name, [trial](std::size_t i) { return trial->ask(i); }});
  }
  context.progress.begin("switches");
  const auto timings = time_interleaved(contestants, {.queries = count}, context.progress);
  context.progress.clear();
  std::size_t reference = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const auto& [method, at] : first) {
      if (lines[i].contestant.starts_with(std::string(method) + ":")) reference = at;
    }
    lines[i].timing = timings[i];
    lines[i].ratio = timings[reference].mean / timings[i].mean;
    context.table.add(lines[i]);
  }
}

}  // namespace graze::bench
