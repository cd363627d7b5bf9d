// SPDX-License-Identifier: MIT
#include "deform/deform_scene.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>
#include <graze/core/method_counters.hpp>

#include "command.hpp"
#include "deform/contact_kind.hpp"
#include "deform/deform_output.hpp"
#include "deform/deform_step_size.hpp"
#include "deform/scene_steps.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

/// What both questions have: a contact, and what crosses.
Json contact_json(const SceneSteps& steps, const SceneContact& c) {
  return {{"a", steps.name(c.a)},
          {"b", steps.name(c.b)},
          {"kind", contact_kind(c.contact)},
          {"vertices", c.contact.vertices},
          {"time", bracket_json(c.contact.time)},
          {"gap", c.contact.gap}};
}
Json crossing_json(const SceneSteps& steps, const SceneCrossing& c) {
  Json out{{"a", steps.name(c.a)}, {"b", steps.name(c.b)}, {"inside", c.inside}};
  out["triangles"] = c.inside ? Json() : Json::array({index(c.triangles.a), index(c.triangles.b)});
  return out;
}
Json crossing_json(const SceneSteps& steps, const SceneEdgeCrossing& c) {
  return {{"a", steps.name(c.a)},
          {"b", steps.name(c.b)},
          {"edge", c.crossing.edge},
          {"triangle", index(c.crossing.triangle)}};
}

Json step_json(const SceneSteps& steps, const SceneResult& r, const MethodCounters& of_method) {
  Json out = new_object();
  out["frame"] = steps.frame();
  out["status"] = graze::name(r.status);
  out["time"] = bracket_json(r.time);
  out["tolerance"] = r.tolerance;
  out["contacts"] = Json::array();
  for (const SceneContact& c : r.contacts) out["contacts"].push_back(contact_json(steps, c));
  out["crossing_at_start"] = Json::array();
  for (const SceneCrossing& c : r.crossing_at_start) out["crossing_at_start"].push_back(crossing_json(steps, c));
  out["edges_crossing_at_start"] = Json::array();
  for (const SceneEdgeCrossing& c : r.edges_crossing_at_start)
    out["edges_crossing_at_start"].push_back(crossing_json(steps, c));
  out["counters"] = to_json(r.counters, &of_method);
  return out;
}

void print_step(const SceneSteps& steps, const SceneResult& r) {
  fmt::print("frame {}: {}", steps.frame(), coloured(graze::name(r.status), r.status));
  if (!r.contacts.empty()) fmt::print(", first at t = {}", r.time.touch);
  fmt::print("\n");
  std::map<std::pair<SceneBodyId, SceneBodyId>, std::pair<std::size_t, std::size_t>> pairs;  // contacts, crossings
  for (const SceneContact& c : r.contacts) ++pairs[std::minmax({c.a, c.b})].first;
  for (const SceneCrossing& c : r.crossing_at_start) ++pairs[std::minmax({c.a, c.b})].second;
  for (const SceneEdgeCrossing& c : r.edges_crossing_at_start) ++pairs[std::minmax({c.a, c.b})].second;
  for (const auto& [bodies, count] : pairs)
    fmt::print("  {} and {}: {} contacts, {} crossings at the start\n", steps.name(bodies.first),
               bodies.first == bodies.second ? "itself" : steps.name(bodies.second), count.first, count.second);
}

Json step_size_json(const SceneSteps& steps, const SceneStepSize& s, const MethodCounters& of_method) {
  Json out = new_object();
  out["frame"] = steps.frame();
  out["status"] = graze::name(s.status);
  out["step"] = s.step;
  out["time"] = bracket_json(s.time);
  out["tolerance"] = s.tolerance;
  out["first"] = s.first ? contact_json(steps, *s.first) : Json();
  out["crossing_at_start"] = s.crossing_at_start ? crossing_json(steps, *s.crossing_at_start) : Json();
  out["edge_crossing_at_start"] = s.edge_crossing_at_start ? crossing_json(steps, *s.edge_crossing_at_start) : Json();
  out["counters"] = to_json(s.counters, &of_method);
  return out;
}

void print_step_size(const SceneSteps& steps, const SceneStepSize& s) {
  fmt::print("frame {}: {}, step {}\n", steps.frame(), coloured(graze::name(s.status), s.status), s.step);
  if (s.first)
    fmt::print("  {} and {} first, at t = {}\n", steps.name(s.first->a), steps.name(s.first->b), s.time.touch);
  if (s.crossing_at_start)
    fmt::print("  {} and {} meet at the start\n", steps.name(s.crossing_at_start->a),
               steps.name(s.crossing_at_start->b));
  if (s.edge_crossing_at_start)
    fmt::print("  {} and {} meet at the start\n", steps.name(s.edge_crossing_at_start->a),
               steps.name(s.edge_crossing_at_start->b));
}

}  // namespace

bool is_deform_scene(const DeformCommand& command) {
  return command.frames.size() == 1 && command.frames[0].ends_with(".json");
}

int run_deform_scene(const DeformCommand& command, const DeformOptions& shared) {
  for (const auto& [given, option] : {std::pair{command.method != "iccd", "--method"},
                                      {!command.bodies.empty(), "--bodies"},
                                      {!command.filter.empty(), "--filter"},
                                      {!command.near.empty(), "--near"},
                                      {!command.pairs.empty(), "--pairs"},
                                      {command.breaking, "--breaking"},
                                      {command.details, "--details"},
                                      {!command.certificate.empty(), "--certificate"}})
    if (given) refuse_option(option, "is about frames in mesh files, not about a scene");
  const Scene scene = load_scene(command.frames[0]);
  if (scene.frames < 2)
    refuse_option("FRAME...", fmt::format("a step needs two frames, and {} has one: give its options \"frames_to_run\"",
                                          command.frames[0]));
  SceneSteps steps(scene, command.self);
  MethodCounters of_method;
  DeformOptions options = shared;
  options.self = true;  // the scene's filter tells of each body whether it is tested with itself
  options.method_counters = &of_method;
  Progress progress(scene.frames - 1);
  bool undecided = false;
  while (steps.frame() < scene.frames) {
    steps.next();
    if (command.step_size.on) {
      StepSizeOptions asked = step_size_options(command.step_size, options);
      asked.method_counters = &of_method;
      const SceneStepSize s = steps.bodies().step_size(asked);
      if (s.error) throw Error(*s.error);
      undecided = undecided || s.status == Status::undecided;
      progress.step();
      progress.before_output();
      command.json ? print_line(step_size_json(steps, s, of_method)) : print_step_size(steps, s);
    } else {
      const SceneResult r = steps.bodies().contacts(options);
      if (r.error) throw Error(*r.error);
      undecided = undecided || r.status == Status::undecided;
      progress.step();
      progress.before_output();
      command.json ? print_line(step_json(steps, r, of_method)) : print_step(steps, r);
    }
  }
  return undecided ? exit_undecided : exit_answered;
}

}  // namespace graze::app
