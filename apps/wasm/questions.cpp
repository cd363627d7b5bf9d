// SPDX-License-Identifier: MIT
#include <graze/ask/collide.hpp>
#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/manifold.hpp>
#include <graze/ask/penetration.hpp>
#include <graze/ask/ray.hpp>

#include "engine.hpp"
#include "graze/output/contact_json.hpp"
#include "graze/output/ray_json.hpp"

namespace graze::web {
namespace {

/// What names the method must outlive the question.
std::string method(JsonReader& request, std::string_view otherwise) {
  return request.text("method", std::string(otherwise));
}

Json ask_collide(Engine& engine, JsonReader& request) {
  const Body a = engine.bodies.at(request, "a"), b = engine.bodies.at(request, "b");
  CollideOptions options;
  const std::string name = method(request, options.method);
  MethodCounters of_method;
  options.method = name;
  options.method_counters = &of_method;
  options.all = request.flag("all", false);
  options.all_features = request.flag("all_features", false);
  options.solid = request.flag("solid", false);
  read_limits(request, options);
  return app::to_json(collide(a, pose(request, "pose_a"), b, pose(request, "pose_b"), options), of_method, a, b);
}

Json ask_self(Engine& engine, JsonReader& request) {
  const Body& body = engine.bodies.at(request, "body");
  SelfCollideOptions options;
  options.all = request.flag("all", false);
  read_limits(request, options);
  SelfCollideResult result = self_collide(body, options);
  if (result.status == Status::contact && !options.all) {  // one pair is listed, but all are counted
    options.all = true;
    const SelfCollideResult every = self_collide(body, options);
    result.count = every.count;
    result.counters += every.counters;
  }
  return app::to_json(result, body.mesh());
}

Json ask_distance(Engine& engine, JsonReader& request) {
  const Body a = engine.bodies.at(request, "a"), b = engine.bodies.at(request, "b");
  DistanceOptions options;
  const std::string name = method(request, options.method);
  options.method = name;
  options.relative_error = request.number("relative_error", options.relative_error);
  read_limits(request, options);
  return app::to_json(distance(a, pose(request, "pose_a"), b, pose(request, "pose_b"), options), a, b);
}

Json ask_within(Engine& engine, JsonReader& request) {
  const double d = request.number("distance", 0);
  WithinOptions options;
  read_limits(request, options);
  return app::to_json(within(d, engine.bodies.at(request, "a"), pose(request, "pose_a"), engine.bodies.at(request, "b"),
                             pose(request, "pose_b"), options),
                      d);
}

Json ask_penetration(Engine& engine, JsonReader& request) {
  PenetrationOptions options;
  options.relative_error = request.number("relative_error", options.relative_error);
  read_limits(request, options);
  return app::to_json(penetration(engine.bodies.at(request, "a"), pose(request, "pose_a"),
                                  engine.bodies.at(request, "b"), pose(request, "pose_b"), options));
}

Json ask_manifold(Engine& engine, JsonReader& request) {
  const Body a = engine.bodies.at(request, "a"), b = engine.bodies.at(request, "b");
  ManifoldOptions options;
  options.margin = request.number("margin", 0);
  read_limits(request, options);
  const bool with_pieces = !a.pieces().empty() || !b.pieces().empty();
  return app::to_json(manifold(a, pose(request, "pose_a"), b, pose(request, "pose_b"), options), with_pieces);
}

Json ask_ray(Engine& engine, JsonReader& request) {
  RayOptions options;
  const bool all = request.flag("all", false);
  options.hits = all ? RayHits::all : request.flag("any", false) ? RayHits::any : RayHits::first;
  return app::to_json(cast_ray(engine.bodies.at(request, "body"), pose(request, "pose"), request.point("from"),
                               request.point("to"), options),
                      all);
}

Json ask_contains(Engine& engine, JsonReader& request) {
  const ContainsResult result =
      contains(engine.bodies.at(request, "body"), pose(request, "pose"), request.point("point"));
  constexpr const char* locations[] = {"outside", "on_surface", "inside", "invalid_request"};
  Json out = app::new_object();
  out["location"] = locations[static_cast<std::size_t>(result.location)];
  if (result.piece) out["piece"] = index(*result.piece);
  if (result.error) out["error"] = app::to_json(*result.error);
  return out;
}

}  // namespace

void add_questions(Answers& answers) {
  answers.insert({{"collide", ask_collide},
                  {"self_collide", ask_self},
                  {"distance", ask_distance},
                  {"within", ask_within},
                  {"penetration", ask_penetration},
                  {"manifold", ask_manifold},
                  {"ray", ask_ray},
                  {"contains", ask_contains}});
}

}  // namespace graze::web
