// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include <graze/body/body.hpp>
#include <graze/body/tree_nodes.hpp>
#include <graze/core/error.hpp>
#include <graze/shape/shape.hpp>

#include "engine.hpp"

namespace graze::web {
namespace {

Json made(Engine& engine, const Body& body) {
  Json out{{"box", Json::array({app::to_json(body.box().lo), app::to_json(body.box().hi)})},
           {"tree_bytes", body.tree_bytes()}};
  out["id"] = engine.bodies.add(body);
  return out;
}

/// Of "mesh" (a number), "shape" (a text such as "sphere:1") or "pieces" (a list of bodies and poses).
Json new_body(Engine& engine, JsonReader& request) {
  if (request.has("mesh")) return made(engine, Body(engine.meshes.at(request, "mesh")));
  if (request.has("shape")) return made(engine, Body(shape::from_text(request.text("shape"))));
  std::vector<Piece> pieces;
  for (JsonReader& entry : request.objects("pieces")) {
    pieces.push_back({engine.bodies.at(entry, "body"), pose(entry, "pose"), entry.text("name", "")});
    entry.finish();
  }
  return made(engine, compound(std::move(pieces)));
}

/// A hull is given by its points: it has no text.
Json new_hull(Engine& engine, JsonReader& request) {
  const std::span<const Vec3> given = points(request, "points");
  const shape::Shape hull(shape::Hull{{given.begin(), given.end()}}, request.number("rounding", 0));
  return made(engine, Body(hull));
}

Json deformed_body(Engine& engine, JsonReader& request) {
  return made(engine, engine.bodies.at(request, "body").deformed(points(request, "positions")));
}

Json body_mesh(Engine& engine, JsonReader& request) {
  return number_json(engine.meshes.add(engine.bodies.at(request, "body").mesh()));
}

/// Eleven numbers for each node: its box, its triangles, the axis and the cosine of its normals. Valid until the next
/// answer of this kind.
Json body_tree(Engine& engine, JsonReader& request) {
  static std::vector<double> numbers;
  numbers.clear();
  const auto level = static_cast<int>(std::min<std::uint64_t>(request.whole_number("level", 0), 1000));
  for (const TreeNode& node : tree_nodes(engine.bodies.at(request, "body"), level)) {
    for (const Vec3& v : {node.box.lo, node.box.hi}) numbers.insert(numbers.end(), {v.x, v.y, v.z});
    const Vec3& n = node.normal_axis;
    numbers.insert(numbers.end(), {static_cast<double>(node.triangles), n.x, n.y, n.z, node.normal_cosine});
  }
  return Json{{"nodes", memory_json(std::span<const double>(numbers))}};
}

Json dispose_body(Engine& engine, JsonReader& request) {
  engine.bodies.remove(request, "body");
  return Json::object();
}

/// How many objects are held: pages and tests that look for leaks ask this.
Json counts(Engine& engine, JsonReader&) {
  return Json{{"meshes", engine.meshes.size()},
              {"bodies", engine.bodies.size()},
              {"deformables", engine.deformables.size()},
              {"worlds", engine.worlds.size()}};
}

}  // namespace

void add_bodies(Answers& answers) {
  answers.insert({{"body.new", new_body},
                  {"body.hull", new_hull},
                  {"body.deformed", deformed_body},
                  {"body.mesh", body_mesh},
                  {"body.tree", body_tree},
                  {"body.dispose", dispose_body},
                  {"counts", counts}});
}

}  // namespace graze::web
