// SPDX-License-Identifier: MIT
#include <graze/motion/motion.hpp>
#include <graze/world/world.hpp>

#include "engine.hpp"
#include "graze/scene/world_print.hpp"

namespace graze::web {
namespace {

Json id_json(BodyId id) { return Json::array({id.slot, id.generation}); }

BodyId read_id(JsonReader& request, const std::string& key) {
  const std::vector<std::uint32_t> v = request.whole_numbers(key, std::uint64_t{1} << 32);
  if (v.size() != 2) request.refuse(key, "is no body's name: give what `add` returned");
  return {v[0], v[1]};
}

World& world_of(Engine& engine, JsonReader& request) { return engine.worlds.at(request, "world"); }

Json new_world(Engine& engine, JsonReader& request) {
  WorldOptions options;
  options.solid = request.flag("solid", false);
  options.broad = request.text("broad", options.broad);
  request.finish();
  return number_json(engine.worlds.add(World(options)));
}

Json add_body(Engine& engine, JsonReader& request) {
  BodySettings settings;
  settings.name = request.text("name", "");
  settings.interest = request.flag("interest", true);
  settings.trigger = request.flag("trigger", false);
  settings.margin = request.number("margin", 0);
  settings.group = request.bits("group", settings.group);
  settings.mask = request.bits("mask", settings.mask);
  World& world = world_of(engine, request);
  const Body& body = engine.bodies.at(request, "body");
  const Pose at = pose(request, "pose");
  request.finish();
  return Json{{"body", id_json(world.add(body, at, settings))}};
}

Json remove_body(Engine& engine, JsonReader& request) {
  world_of(engine, request).remove(read_id(request, "body"));
  return Json::object();
}

/// "teleport": it was put there, not moved.
Json move_body(Engine& engine, JsonReader& request) {
  const BodyId id = read_id(request, "body");
  if (request.flag("teleport", false))
    world_of(engine, request).teleport(id, pose(request, "pose"));
  else
    world_of(engine, request).move(id, pose(request, "pose"));
  return Json::object();
}

Json deform_body(Engine& engine, JsonReader& request) {
  world_of(engine, request).deform(read_id(request, "body"), points(request, "positions"));
  return Json::object();
}

Json body_pose(Engine& engine, JsonReader& request) {
  return Json{{"pose", app::to_json(world_of(engine, request).pose(read_id(request, "body")))}};
}

Json set_interest(Engine& engine, JsonReader& request) {
  world_of(engine, request).interest(read_id(request, "a"), read_id(request, "b"), request.flag("wanted", true));
  return Json::object();
}

Json undecided_json(const std::vector<UndecidedPair>& pairs) {
  Json out = Json::array();
  for (const UndecidedPair& u : pairs) out.push_back(Json{{"a", id_json(u.a)}, {"b", id_json(u.b)}});
  return out;
}

Json ask_check(Engine& engine, JsonReader& request) {
  CheckOptions options;
  MethodCounters of_method;
  options.method_counters = &of_method;
  options.details.all_pairs = request.flag("all_pairs", false);
  options.details.manifold = request.flag("manifold", false);
  options.details.depth = request.flag("depth", false);
  read_limits(request, options);
  World& world = world_of(engine, request);
  request.finish();
  const CheckResult r = world.check(options);
  Json out = app::new_object();
  out["frame"] = r.frame;
  out["events"] = Json::array();
  for (const WorldEvent& e : r.events) out["events"].push_back(app::to_json(e));
  out["undecided"] = undecided_json(r.undecided);
  out["counters"] = app::to_json(r.counters, &of_method);
  out["seconds"] = r.seconds;
  return out;
}

Json contacts_json(const std::vector<SweepContact>& contacts) {
  Json out = Json::array();
  for (const SweepContact& c : contacts) {
    const FirstContactResult& r = c.contact;
    Json entry{{"a", id_json(c.a)},
               {"b", id_json(c.b)},
               {"status", graze::name(r.status)},
               {"time", Json::array({r.time.safe, r.time.touch})}};
    entry["points"] = r.points ? Json::array({app::to_json((*r.points)[0]), app::to_json((*r.points)[1])}) : Json();
    entry["normal"] = r.normal ? app::to_json(*r.normal) : Json();
    out.push_back(std::move(entry));
  }
  return out;
}

Json ask_sweep(Engine& engine, JsonReader& request) {
  SweepOptions options;
  options.earliest = request.flag("earliest", false);
  options.advance = request.flag("advance", false);
  options.each = request.flag("each", false);
  options.ignore_start_if_separating = request.flag("ignore_start_if_separating", false);
  options.min_separation = request.number("min_separation", 0);
  if (request.has("tolerance")) options.tolerance = request.number("tolerance", 0);
  read_limits(request, options);
  World& world = world_of(engine, request);
  request.finish();
  const SweepResult r = world.sweep(options);
  Json out = app::new_object();
  out["status"] = graze::name(r.status);
  out["safe"] = r.safe;
  out["contacts"] = contacts_json(r.contacts);
  out["triggers"] = contacts_json(r.triggers);
  out["earliest"] = r.earliest ? Json(*r.earliest) : Json();
  out["advanced"] = r.advanced;
  out["seconds"] = r.seconds;
  if (r.error) out["error"] = app::to_json(*r.error);
  return out;
}

Json ask_near_pairs(Engine& engine, JsonReader& request) {
  NearOptions options;
  read_limits(request, options);
  const NearResult r = world_of(engine, request).near(request.number("distance", 0), options);
  Json out = app::new_object();
  out["status"] = graze::name(r.status);
  out["pairs"] = Json::array();
  for (const NearPair& p : r.pairs)
    out["pairs"].push_back(
        Json{{"a", id_json(p.a)},
             {"b", id_json(p.b)},
             {"distance", p.distance.distance},
             {"points", Json::array({app::to_json(p.distance.points[0]), app::to_json(p.distance.points[1])})}});
  if (r.error) out["error"] = app::to_json(*r.error);
  return out;
}

Json ask_world_ray(Engine& engine, JsonReader& request) {
  Json out = app::new_object();
  out["hits"] = Json::array();
  for (const BodyHit& h : world_of(engine, request).ray(request.point("from"), request.point("to")))
    out["hits"].push_back(Json{{"body", id_json(h.body)},
                               {"fraction", h.hit.fraction},
                               {"point", app::to_json(h.hit.point)},
                               {"normal", h.hit.normal ? app::to_json(*h.hit.normal) : Json()},
                               {"triangle", index(h.hit.triangle)}});
  return out;
}

Json touching_pairs(Engine& engine, JsonReader& request) {
  Json out = Json::array();
  for (const auto& [a, b] : world_of(engine, request).touching()) out.push_back(Json::array({id_json(a), id_json(b)}));
  return Json{{"pairs", std::move(out)}};
}

Json dispose_world(Engine& engine, JsonReader& request) {
  engine.worlds.remove(request, "world");
  return Json::object();
}

}  // namespace

void add_world(Answers& answers) {
  answers.insert({{"world.new", new_world},
                  {"world.add", add_body},
                  {"world.remove", remove_body},
                  {"world.move", move_body},
                  {"world.deform", deform_body},
                  {"world.pose", body_pose},
                  {"world.interest", set_interest},
                  {"world.check", ask_check},
                  {"world.sweep", ask_sweep},
                  {"world.near", ask_near_pairs},
                  {"world.ray", ask_world_ray},
                  {"world.touching", touching_pairs},
                  {"world.dispose", dispose_world}});
}

}  // namespace graze::web
