// SPDX-License-Identifier: MIT
#include <graze/ask/contact_details.hpp>
#include <graze/ask/deform.hpp>
#include <graze/ask/proximity.hpp>

#include "engine.hpp"

namespace graze::web {
namespace {

const char* kind_name(ElementaryKind kind) {
  switch (kind) {
    case ElementaryKind::vertex_face: return "vf";
    case ElementaryKind::edge_edge: return "ee";
    case ElementaryKind::vertex_edge: return "ve";
    case ElementaryKind::vertex_vertex: break;
  }
  return "vv";
}

Json time_json(const TimeBracket& time) { return Json::array({time.safe, time.touch}); }

DeformOptions read_options(JsonReader& request) {
  DeformOptions options;
  options.self = request.flag("self", true);
  options.all = request.flag("all", true);
  options.exact = request.flag("exact", false);
  options.crossing_at_start = request.flag("crossing_at_start", true);
  if (request.has("tolerance")) options.tolerance = request.number("tolerance", 0);
  options.min_separation = request.number("min_separation", 0);
  read_limits(request, options);
  return options;
}

/// Numbers of each contact: kind, four vertices, the bracket of time, gap, at start; with points also two points and a
/// normal. A step can have so many contacts that JSON would take longer than the step.
constexpr std::size_t plain_numbers = 9, numbers_with_points = 18;

/// Valid until the next answer of this kind.
std::span<const double> contact_numbers(const DeformResult& r, std::span<const DeformContactDetail> details) {
  static std::vector<double> numbers;
  numbers.clear();
  for (std::size_t i = 0; i < r.contacts.size(); ++i) {
    const DeformContact& c = r.contacts[i];
    numbers.push_back(static_cast<double>(c.kind));
    for (const std::uint32_t v : c.vertices) numbers.push_back(v);
    for (const double x : {c.time.safe, c.time.touch, c.gap, c.at_start ? 1.0 : 0.0}) numbers.push_back(x);
    if (details.empty()) continue;
    for (const Vec3& v : {details[i].a, details[i].b, details[i].normal})
      for (const double x : {v.x, v.y, v.z}) numbers.push_back(x);
  }
  return numbers;
}

std::span<const std::uint32_t> crossing_numbers(const DeformResult& r) {
  static std::vector<std::uint32_t> numbers;
  numbers.clear();
  for (const TrianglePair& p : r.crossing_at_start) {
    numbers.push_back(index(p.a));
    numbers.push_back(index(p.b));
  }
  return numbers;
}

Json result_json(const DeformResult& r, const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                 bool with_points) {
  Json out = app::new_object();
  out["status"] = graze::name(r.status);
  out["time"] = time_json(r.time);
  std::vector<DeformContactDetail> details(with_points ? r.contacts.size() : 0);
  if (with_points) DeformContactDetails(mesh).find(from, to, r.contacts, details);
  out["numbers_each"] = with_points ? numbers_with_points : plain_numbers;
  out["contacts"] = memory_json(contact_numbers(r, details));
  out["crossing_at_start"] = memory_json(crossing_numbers(r));
  out["counters"] = app::to_json(r.counters);
  out["seconds"] = r.seconds.total;
  if (r.error) out["error"] = app::to_json(*r.error);
  return out;
}

Json new_deformable(Engine& engine, JsonReader& request) {
  return number_json(engine.deformables.add(Deformable(engine.meshes.at(request, "mesh"))));
}

Json set_positions(Engine& engine, JsonReader& request) {
  engine.deformables.at(request, "deformable").set_positions(points(request, "positions"));
  return Json::object();
}

/// "move": the mesh is at the new positions afterwards.
Json ask_contacts(Engine& engine, JsonReader& request) {
  Deformable& mesh = engine.deformables.at(request, "deformable");
  const DeformOptions options = read_options(request);
  const std::span<const Vec3> to = points(request, "positions");
  const bool with_points = request.flag("points", false), move = request.flag("move", false);
  request.finish();
  const std::vector<Vec3> from(mesh.positions().begin(), mesh.positions().end());
  const DeformResult result = move ? mesh.step(to, options) : mesh.contacts(to, options);
  return result_json(result, mesh.mesh(), from, to, with_points && !result.error);
}

Json ask_step_size(Engine& engine, JsonReader& request) {
  StepSizeOptions options;
  options.slack = request.number("slack", options.slack);
  options.self = request.flag("self", true);
  if (request.has("tolerance")) options.tolerance = request.number("tolerance", 0);
  options.min_separation = request.number("min_separation", 0);
  options.ignore_start_crossings = request.flag("ignore_start_crossings", false);
  options.ignore_start_if_separating = request.flag("ignore_start_if_separating", true);
  read_limits(request, options);
  const StepSize step = engine.deformables.at(request, "deformable").step_size(points(request, "positions"), options);
  Json out = app::new_object();
  out["status"] = graze::name(step.status);
  out["step"] = step.step;
  out["time"] = time_json(step.time);
  out["first"] =
      step.first
          ? Json{{"kind", kind_name(step.first->kind)}, {"vertices", step.first->vertices}, {"gap", step.first->gap}}
          : Json();
  if (step.error) out["error"] = app::to_json(*step.error);
  return out;
}

Json ask_near(Engine& engine, JsonReader& request) {
  Deformable& mesh = engine.deformables.at(request, "deformable");
  ProximityOptions options;
  options.self = request.flag("self", true);
  read_limits(request, options);
  ProximityResult result;
  const double distance = request.number("distance", 0);
  const std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  mesh.near(positions, distance, options, result);
  Json out = app::new_object();
  out["status"] = graze::name(result.status);
  Json& pairs = out["pairs"] = Json::array();
  for (const ProximityPair& p : result.pairs)
    pairs.push_back(Json{{"kind", kind_name(p.kind)},
                         {"vertices", p.vertices},
                         {"weights", p.weights},
                         {"distance", p.distance},
                         {"of_vertex_face", p.vertex_face},
                         {"of_edge_edge", p.edge_edge}});
  if (result.error) out["error"] = app::to_json(*result.error);
  return out;
}

Json dispose_deformable(Engine& engine, JsonReader& request) {
  engine.deformables.remove(request, "deformable");
  return Json::object();
}

}  // namespace

void add_deform(Answers& answers) {
  answers.insert({{"deform.new", new_deformable},
                  {"deform.set", set_positions},
                  {"deform.contacts", ask_contacts},
                  {"deform.step_size", ask_step_size},
                  {"deform.near", ask_near},
                  {"deform.dispose", dispose_deformable}});
}

}  // namespace graze::web
