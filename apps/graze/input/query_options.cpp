// SPDX-License-Identifier: MIT
#include "input/query_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>
#include <graze/io/height_file.hpp>
#include <graze/mesh/weld.hpp>
#ifdef GRAZE_CLI_HAS_ASSIMP
#include <graze/io/assimp.hpp>
#endif

#include "input/choices.hpp"
#include "input/pieces.hpp"
#include "input/pose_text.hpp"
#include "input/surfaces.hpp"

namespace graze::app {

CLI::Option* add_text(CLI::App& command, const std::string& name, std::string& text, const std::string& help,
                      const std::string& type) {
  return command.add_option(name, text, help)->type_name(type)->check([](const std::string& given) {
    return given.empty() ? std::string("must not be empty") : std::string();
  });
}

CLI::Option* add_format(CLI::App& command, MeshFormat& format, const std::string& help) {
  static const std::map<std::string, MeshFormat> formats{{"automatic", MeshFormat::automatic},
                                                         {"obj", MeshFormat::obj},
                                                         {"off", MeshFormat::off},
                                                         {"ply", MeshFormat::ply},
                                                         {"stl", MeshFormat::stl}};
  CLI::Option* option = command.add_option_function<std::string>(
      "--format",
      [&format](const std::string& text) {
        const auto found = formats.find(CLI::detail::to_lower(text));
        if (found == formats.end())
          refuse_option("--format", fmt::format("unknown format '{}'; choose automatic, obj, off, ply or stl", text));
        format = found->second;
      },
      help);
  std::vector<std::string> names;
  for (const auto& [name, value] : formats) names.push_back(name);
  return offer(option->type_name("NAME"), std::move(names));
}

void add_input_options(CLI::App& command, InputOptions& input) {
  add_format(command, input.format, "obj, off, ply or stl, whatever the file's name says; gzipped or not");
  command.add_flag("--weld", input.weld, "Make vertices at exactly equal positions one (the lowest id stays)");
  command.add_option("--threads", input.threads, "Threads to use; answers do not depend on it (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

QueryOptionHandles add_query_options(CLI::App& command, QueryOptions& options) {
  QueryOptionHandles handles{};
  command.add_option("A", options.file_a, "The first mesh")->type_name("FILE");
  handles.file_b = command.add_option("B", options.file_b, "The second mesh")->type_name("FILE");
  const auto pose_help = [](const char* body) {
    return fmt::format("Where {} stands: \"tx ty tz qw qx qy qz\", or a 4x4 matrix as 16 numbers row by row", body);
  };
  handles.pose_a = add_text(command, "--pose-a", options.pose_a, pose_help("A"), "POSE");
  handles.pose_b = add_text(command, "--pose-b", options.pose_b, pose_help("B"), "POSE");
  handles.method = add_text(command, "--method", options.method, "How to answer", "NAME");
  handles.batch = add_text(command, "--batch", options.batch,
                           "Answer every row of a CSV file: translation and quaternion wxyz of A, then of B\n"
                           "(14 numbers, commas, optional header); one JSON line a row",
                           "FILE.csv");
  handles.batch->excludes(handles.pose_a)->excludes(handles.pose_b);
  add_input_options(command, options.input);
  command.add_flag("--json", options.json, "Print one JSON object instead of text");
  command.add_flag("--exit-code", options.exit_code, "Exit with status 1 when contact was found");
  return handles;
}

namespace {

/// Files that the library does not read by itself, but assimp does.
bool is_for_assimp(const std::string& file) {
  const std::string extension = CLI::detail::to_lower(std::filesystem::path(file).extension().string());
  for (const char* const known : {".dae", ".fbx", ".gltf", ".glb", ".3ds", ".x3d", ".wrl", ".lwo", ".ac", ".blend"})
    if (extension == known) return true;
  return false;
}

Mesh load_as_it_is(const std::string& file, MeshFormat format) {
  if (format != MeshFormat::automatic || !is_for_assimp(file)) return load_mesh(file, format);
#ifdef GRAZE_CLI_HAS_ASSIMP
  return load_with_assimp(file);
#else
  refuse_file(ErrorCode::unknown_format, file,
              "is read by assimp, without which this graze was built: install libassimp-dev and configure with "
              "-DGRAZE_WITH_ASSIMP=ON, or convert the file to OBJ");
#endif
}

}  // namespace

Mesh load(const std::string& file, const InputOptions& input) {
  try {
    Mesh mesh = load_as_it_is(file, input.format);
    return input.weld ? weld(mesh) : mesh;
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    if (detail.file.empty()) detail.file = file;
    throw Error(detail);
  }
}

Mesh load_height_mesh(const std::string& text) {
  std::string file = text;
  double spacing[2] = {1, 1};
  if (!std::filesystem::exists(file) && std::count(file.begin(), file.end(), ',') >= 2)
    for (double& d : spacing) {
      const std::size_t comma = file.find(',');
      d = parse_option_number(file.substr(0, comma), "heights:DX,DY,FILE");
      file.erase(0, comma + 1);
    }
  HeightField field = load_heights(file);
  field.dx = spacing[0];
  field.dy = spacing[1];
  return height_mesh(field);
}

namespace {

/// FILE or FILE+R; a file whose name has a plus is read as it is.
shape::Shape load_hull(std::string file, const InputOptions& input) {
  double rounding = 0;
  for (std::size_t plus = file.find('+'); plus != file.npos && !std::filesystem::exists(file);
       plus = file.find('+', plus + 1))
    if (std::filesystem::exists(file.substr(0, plus))) {
      rounding = parse_option_number(file.substr(plus + 1), "hull:FILE+R");
      file.erase(plus);
    }
  const Mesh mesh = load(file, input);
  return {shape::Hull{{mesh.positions().begin(), mesh.positions().end()}}, rounding};
}

}  // namespace

Body load_body(const std::string& file_or_shape, const InputOptions& input) {
  const BodyOptions options{.threads = input.threads};
  if (std::filesystem::exists(file_or_shape)) return Body(load(file_or_shape, input), options);
  if (shape::is_shape_text(file_or_shape)) return Body(shape::from_text(file_or_shape), options);
  constexpr std::string_view heights = "heights:", of_pieces = "compound:", hull = "hull:";
  if (file_or_shape.starts_with(heights)) return Body(load_height_mesh(file_or_shape.substr(heights.size())), options);
  if (file_or_shape.starts_with(of_pieces)) return load_compound(file_or_shape.substr(of_pieces.size()), input);
  if (is_surface_text(file_or_shape)) return Body(load_surface(file_or_shape));
  if (file_or_shape.starts_with(hull)) return Body(load_hull(file_or_shape.substr(hull.size()), input), options);
  return Body(load(file_or_shape, input), options);
}

BodyPair load_bodies(const std::string& file_a, const std::string& file_b, const InputOptions& input) {
  const Body a = load_body(file_a, input);
  return {a, file_a == file_b ? a : load_body(file_b, input)};
}

PlacedPair load_pair(const QueryOptions& options) {
  if (options.file_a.empty() || options.file_b.empty()) refuse_option("FILE", "two mesh files are needed, A and B");
  // Parse the poses first, so that a typing error is reported before a large file is loaded.
  const Pose pose_a = parse_pose(options.pose_a, "--pose-a");
  const Pose pose_b = parse_pose(options.pose_b, "--pose-b");
  const BodyPair bodies = load_bodies(options.file_a, options.file_b, options.input);
  return {bodies.a, bodies.b, pose_a, pose_b};
}

}  // namespace graze::app
