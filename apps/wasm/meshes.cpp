// SPDX-License-Identifier: MIT
#include <graze/io/mesh_file.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/make.hpp>
#include <graze/mesh/weld.hpp>

#include "engine.hpp"

namespace graze::web {
namespace {

Json made(Engine& engine, Mesh mesh) {
  Json out{{"vertices", mesh.vertex_count()}, {"polygons", mesh.polygon_count()}, {"triangles", mesh.triangle_count()}};
  out["id"] = engine.meshes.add(std::move(mesh));
  return out;
}

/// "first" is there if not all polygons are triangles.
Json new_mesh(Engine& engine, JsonReader& request) {
  const std::span<const Vec3> positions = points(request, "positions");
  const std::span<const std::uint32_t> corners = memory<const std::uint32_t>(request, "corners");
  PolygonList polygons;
  polygons.corners.assign(corners.begin(), corners.end());
  if (request.has("first")) {
    const std::span<const std::uint32_t> first = memory<const std::uint32_t>(request, "first");
    polygons.first.assign(first.begin(), first.end());
    bool good = !first.empty() && first.front() == 0 && first.back() == corners.size();
    for (std::size_t i = 1; i < first.size(); ++i) good = good && first[i - 1] <= first[i];
    if (!good) request.refuse("first", "must ascend from 0 to the number of corners");
  } else {
    if (corners.size() % 3 != 0)
      request.refuse("corners", "are not a multiple of 3; give \"first\" for other polygons");
    for (std::size_t i = 3; i <= corners.size(); i += 3) polygons.first.push_back(static_cast<std::uint32_t>(i));
  }
  return made(engine, Mesh({positions.begin(), positions.end()}, std::move(polygons)));
}

MeshFormat read_format(JsonReader& request) {
  const std::string text = request.text("format", "automatic");
  for (const MeshFormat f : {MeshFormat::automatic, MeshFormat::obj, MeshFormat::stl, MeshFormat::ply, MeshFormat::off})
    if (text == graze::name(f)) return f;
  request.refuse("format", "is no format; choose obj, stl, ply or off");
}

Json parse_file(Engine& engine, JsonReader& request) {
  const MeshFormat format = read_format(request);
  const std::string name = request.text("name", "memory");
  return made(engine, parse_mesh(memory<const char>(request, "bytes"), format, name));
}

Json write_file(Engine& engine, JsonReader& request) {
  static std::string bytes;
  SaveOptions options;
  options.format = read_format(request);
  if (request.flag("binary", false)) options.encoding = SaveOptions::Encoding::binary_little_endian;
  bytes = mesh_bytes(engine.meshes.at(request, "mesh"), options);
  return Json{{"bytes", memory_json(std::span<const char>(bytes))}};
}

Json make_mesh(Engine& engine, JsonReader& request) {
  const std::string name = request.text("shape");
  const auto triangles = static_cast<std::size_t>(request.whole_number("triangles", 0));
  for (const make::Shape& shape : make::shapes())
    if (shape.name == name) return made(engine, shape.make(triangles));
  request.refuse("shape", "is not among the generators that `graze make --list` shows");
}

Json weld_mesh(Engine& engine, JsonReader& request) { return made(engine, weld(engine.meshes.at(request, "mesh"))); }

/// Addresses of what the mesh holds: valid until it is disposed, or memory grows.
Json mesh_data(Engine& engine, JsonReader& request) {
  const Mesh& mesh = engine.meshes.at(request, "mesh");
  const auto numbers = [](auto list, std::size_t each) {
    return Json::array({reinterpret_cast<std::uintptr_t>(list.data()), list.size() * each});
  };
  return Json{{"positions", numbers(mesh.positions(), 3)},
              {"triangles", numbers(mesh.triangles(), 3)},
              {"corners", memory_json(std::span<const std::uint32_t>(mesh.polygons().corners))},
              {"first", memory_json(std::span<const std::uint32_t>(mesh.polygons().first))},
              {"box", Json::array({app::to_json(mesh.box().lo), app::to_json(mesh.box().hi)})}};
}

Json dispose_mesh(Engine& engine, JsonReader& request) {
  engine.meshes.remove(request, "mesh");
  return Json::object();
}

}  // namespace

void add_meshes(Answers& answers) {
  answers.insert({{"mesh.new", new_mesh},
                  {"mesh.parse", parse_file},
                  {"mesh.write", write_file},
                  {"mesh.make", make_mesh},
                  {"mesh.weld", weld_mesh},
                  {"mesh.data", mesh_data},
                  {"mesh.dispose", dispose_mesh}});
}

}  // namespace graze::web
