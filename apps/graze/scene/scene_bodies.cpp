// SPDX-License-Identifier: MIT
#include "scene/scene_bodies.hpp"

#include <cmath>

#include <fmt/format.h>
#include <graze/core/error.hpp>
#include <graze/io/height_file.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/mesh/make.hpp>
#include <graze/mesh/weld.hpp>

#include "input/pieces.hpp"
#include "input/robot_file.hpp"
#include "input/surfaces.hpp"
#include "scene/scene_motion.hpp"

namespace graze::app {
namespace {

double read_scale(JsonReader& reader) {
  const double scale = reader.number("scale", 1);
  if (!(scale > 0) || !std::isfinite(scale)) reader.refuse("scale", "must be a positive number");
  return scale;
}

bool has_body(const JsonReader& reader) {
  for (const char* key : {"mesh", "make", "shape", "heights", "pieces"})
    if (reader.has(key)) return true;
  return false;
}

/// A key that describes a whole body.
void stands_alone(JsonReader& reader, const std::string& key, const char* why) {
  for (const char* other : {"mesh", "make", "shape", "heights", "pieces", "scale", "weld"})
    if (key != other && reader.has(other)) reader.refuse(key, why);
}

Mesh read_heights(JsonReader& reader, const std::filesystem::path& folder) {
  stands_alone(reader, "heights", "stands alone: a height field has its own spacing, and no mesh");
  HeightField field = load_heights(scene_file(reader, "heights", folder, reader.text("heights")));
  if (reader.has("spacing")) {
    const std::vector<double> spacing = reader.numbers("spacing", 2);
    field.dx = spacing[0];
    field.dy = spacing[1];
  }
  try {
    return height_mesh(field);
  } catch (const Error& error) {
    reader.refuse("heights", error.detail().message);
  }
}

Body read_shape(JsonReader& reader, const std::filesystem::path& folder) {
  stands_alone(reader, "shape", "stands alone: a shape has its own sizes, and no mesh");
  const std::string text = reader.text("shape");
  try {
    if (!is_surface_text(text)) return Body(shape::from_text(text));
    constexpr std::string_view bezier = "bezier:";
    if (!text.starts_with(bezier)) return Body(load_surface(text));
    const std::string file(scene_file(reader, "shape", folder, text.substr(bezier.size())));
    return Body(load_surface(std::string(bezier) + file));
  } catch (const Error& error) {
    reader.refuse("shape", error.detail().message);
  }
}

Mesh read_mesh(JsonReader& reader, const std::filesystem::path& folder) {
  if (reader.has("mesh") == reader.has("make"))
    reader.refuse("mesh",
                  "give either \"mesh\", a file, \"make\", a mesh of `graze make --list`, \"shape\", "
                  "\"heights\" or \"pieces\"");
  if (reader.has("mesh")) return load_mesh(scene_file(reader, "mesh", folder, reader.text("mesh")));
  const std::string name = reader.text("make");
  const std::uint64_t triangles = reader.whole_number("triangles", 0);
  for (const make::Shape& shape : make::shapes())
    if (shape.name == name) return shape.make(static_cast<std::size_t>(triangles));
  reader.refuse("make", fmt::format("unknown shape '{}'; `graze make --list` shows them", name));
}

std::vector<Vec3> scaled(std::span<const Vec3> positions, double scale) {
  std::vector<Vec3> out(positions.begin(), positions.end());
  for (Vec3& p : out) p = p * scale;
  return out;
}

/// The links given in the scene file itself.
Robot read_links(JsonReader& reader, SceneBodies& bodies, bool weld) {
  std::vector<Link> links;
  std::vector<std::optional<Body>> link_bodies;
  for (JsonReader& entry : reader.objects("links")) {
    links.push_back(read_link(entry));
    link_bodies.emplace_back();
    if (has_body(entry)) link_bodies.back() = bodies.read(entry, weld);
    entry.finish();
  }
  if (links.empty()) reader.refuse("links", "must hold at least one link");
  try {
    Robot robot{Chain(std::move(links)), std::move(link_bodies), {}, {}, {}};
    robot.ignored = read_ignored(reader, robot.chain);
    return robot;
  } catch (const Error& error) {
    if (!error.detail().file.empty()) throw;  // an error of the reader itself
    reader.refuse("links", error.what());     // the errors of a chain name links, but not the file
  }
}

Robot read_robot(JsonReader& reader, SceneBodies& bodies) {
  if (reader.has("robot") == reader.has("links"))
    reader.refuse("robot", "give either \"robot\", a robot file as of `graze chain`, or \"links\"");
  const bool weld = bodies.read_weld(reader);
  if (reader.has("links")) return read_links(reader, bodies, weld);
  InputOptions input;
  input.weld = weld;
  return load_robot(scene_file(reader, "robot", bodies.folder(), reader.text("robot")), input);
}

}  // namespace

Body SceneBodies::read(JsonReader& reader, bool weld) {
  if (reader.has("shape")) return read_shape(reader, folder_);
  if (reader.has("heights")) return Body(read_heights(reader, folder_));
  if (reader.has("pieces")) {
    stands_alone(reader, "pieces", "stands alone: each piece has its own mesh or shape");
    return read_compound(reader, [&](JsonReader& piece) { return read(piece, weld); });
  }
  const double scale = read_scale(reader);
  const bool welded = reader.flag("weld", weld);
  std::string key = fmt::format("{} {} ", scale, welded);
  if (reader.has("mesh")) key += "file " + reader.text("mesh");
  if (reader.has("make")) key += fmt::format("shape {} {}", reader.text("make"), reader.whole_number("triangles", 0));
  const auto known = known_.find(key);
  if (known != known_.end() && reader.has("mesh") != reader.has("make")) return known->second;
  Mesh mesh = read_mesh(reader, folder_);
  if (welded) mesh = graze::weld(mesh);  // before scaling: scaling must not make distinct vertices equal
  if (scale != 1) mesh = Mesh(scaled(mesh.positions(), scale), mesh.polygons(), mesh.groups(), mesh.loose());
  return known_.emplace(key, Body(mesh)).first->second;
}

void SceneBodies::read_shapes(JsonReader& reader, SceneBody& body) {
  if (!reader.has("deform")) return;
  const double scale = read_scale(reader);
  JsonReader deform = reader.object("deform");
  const bool breaking = deform.flag("breaking", false);
  body.shapes.push_back(body.body.mesh());
  for (const std::string& file : deform.texts("meshes")) {
    const Mesh& first = body.shapes.front();
    const std::string key = fmt::format("meshes[{}]", body.shapes.size() - 1);
    const Mesh mesh = load_mesh(scene_file(deform, key, folder_, file));
    if (!breaking && mesh.vertex_count() != first.vertex_count())
      deform.refuse(key, fmt::format("'{}' has {} vertices, and the body has {}: a shape must have the same vertices; "
                                     "with \"breaking\": true it may have others",
                                     file, mesh.vertex_count(), first.vertex_count()));
    body.shapes.push_back(breaking
                              ? Mesh(scaled(mesh.positions(), scale), mesh.polygons(), mesh.groups(), mesh.loose())
                              : Mesh(scaled(mesh.positions(), scale), first.polygons(), first.groups(), first.loose()));
  }
  if (body.shapes.size() < 2) deform.refuse("meshes", "must name at least one file");
  body.shapes_loop = deform.flag("loop", false);
  body.rules.self = deform.flag("self", true);
  if (deform.has("fixed")) {
    if (breaking) deform.refuse("fixed", "names vertices, which may be others when the body breaks");
    body.fixed = deform.whole_numbers("fixed", body.shapes.front().vertex_count());
  }
  deform.finish();
}

SceneArticulated read_articulated(JsonReader& reader, SceneBodies& bodies) {
  const Robot robot = read_robot(reader, bodies);
  SceneArticulated out{robot.chain, {}, {}, {}, {}, {}, {}, {}};
  out.settings.name = reader.text("name");
  const std::size_t coordinates = robot.chain.coordinates();
  for (std::uint32_t i = 0; i < robot.chain.size(); ++i)
    if (robot.bodies[i]) out.links.push_back({LinkId{i}, *robot.bodies[i]});
  if (out.links.empty())
    reader.refuse(reader.has("links") ? "links" : "robot", "no link has a body: give some a \"mesh\" or \"make\"");
  for (std::size_t a = 0; a < out.links.size(); ++a)
    for (std::size_t b = a + 1; b < out.links.size(); ++b)
      for (const auto& pair : robot.ignored)
        if ((pair[0] == out.links[a].link && pair[1] == out.links[b].link) ||
            (pair[1] == out.links[a].link && pair[0] == out.links[b].link))
          out.ignored.push_back({a, b});
  out.motion = read_joint_motion(reader, coordinates, bodies.folder());
  if (reader.has("coordinates"))
    out.coordinates = reader.numbers("coordinates", coordinates);
  else
    out.coordinates = robot.from.value_or(std::vector<double>(coordinates, 0.0));
  if (!out.motion.track.empty()) out.coordinates = out.motion.track[0];
  if (reader.has("base")) out.base = reader.pose("base");
  out.base_motion = read_motion(reader, "base_motion", bodies.folder());
  if (!out.base_motion.track.empty()) out.base = out.base_motion.track[0];
  out.settings.interest = reader.flag("interest", true);
  out.settings.group = reader.bits("group", 1);
  out.settings.mask = reader.bits("mask", 0xFFFFFFFFu);
  reader.finish();
  return out;
}

}  // namespace graze::app
