// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/mesh/make.hpp>

#include "command.hpp"
#include "input/choices.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

struct MakeCommand {
  std::string shape, file;
  std::int64_t triangles = 0;  ///< 0: the default of the shape
  MeshFormat format = MeshFormat::automatic;
  bool binary = false, json = false, list = false;
};

constexpr const char* make_footer =
    "The number of triangles is a target: a shape comes with the nearest number that its pattern allows.\n\n"
    "Examples:\n"
    "  graze make --list\n"
    "  graze make torus_knot --triangles 11520 -o knot.obj\n"
    "  graze make sphere --triangles 5000 -o sphere.ply --binary\n"
    "  graze make chair -o chair.off.gz";

void print_shapes() {
  for (const make::Shape& shape : make::shapes())
    fmt::print("{:<14} {:<6} {}\n", shape.name, shape.solid ? "solid" : "-", shape.summary);
}

const make::Shape& find_shape(const std::string& name) {
  for (const make::Shape& shape : make::shapes())
    if (shape.name == name) return shape;
  refuse_option("SHAPE", name.empty() ? "which shape? `graze make --list` shows them"
                                      : fmt::format("unknown shape '{}'; `graze make --list` shows them", name));
}

int run(const MakeCommand& command) {
  if (command.list) {
    print_shapes();
    return exit_answered;
  }
  const make::Shape& shape = find_shape(command.shape);
  if (command.file.empty()) refuse_option("-o", "where to? Name a file, such as -o shape.obj");
  const Mesh mesh = shape.make(static_cast<std::size_t>(command.triangles));
  SaveOptions options;
  options.format = command.format;
  if (command.binary) options.encoding = SaveOptions::Encoding::binary_little_endian;
  save_mesh(mesh, command.file, options);
  if (command.json) {
    Json out = new_object();
    out["shape"] = shape.name;
    out["file"] = command.file;
    out["vertices"] = mesh.vertex_count();
    out["polygons"] = mesh.polygon_count();
    out["triangles"] = mesh.triangle_count();
    print_line(out);
  } else {
    fmt::print("{}: {} with {} vertices, {} polygons, {} triangles\n", command.file, shape.name,
               count_text(mesh.vertex_count()), count_text(mesh.polygon_count()), count_text(mesh.triangle_count()));
  }
  return exit_answered;
}

}  // namespace

void add_make(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<MakeCommand>();
  CLI::App* app = graze.add_subcommand("make", "Write a mesh from one of the generators");
  app->footer(make_footer);
  offer(app->add_option("SHAPE", command->shape, "Which one; --list shows them")->type_name("NAME"),
        names_in(make::shapes()));
  app->add_option("--triangles", command->triangles, "About how many (default: the shape's own number)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{0xffffffff}));
  add_text(*app, "-o,--output", command->file, "Where to; the name says the format, .gz compresses", "FILE");
  add_format(*app, command->format, "obj, off, ply or stl, whatever the file's name says");
  app->add_flag("--binary", command->binary, "Binary STL or PLY instead of text");
  app->add_flag("--json", command->json, "Print the counts as a JSON object");
  app->add_flag("--list", command->list, "List the shapes");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
