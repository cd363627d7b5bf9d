// SPDX-License-Identifier: MIT
#include "deform/deform_bodies.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <graze/ask/deform_filter.hpp>
#include <graze/core/error.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/mesh/classify.hpp>

namespace graze::app {
namespace {

[[noreturn]] void refuse_bodies(std::string message, std::string file = {}) {
  throw Error({.code = file.empty() ? ErrorCode::bad_option : ErrorCode::bad_file,
               .message = std::move(message),
               .element = file.empty() ? "option --bodies" : "",
               .id = ErrorDetail::none,
               .file = std::move(file),
               .line = ErrorDetail::none});
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::optional<std::uint32_t> whole_number(const std::string& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses "0,1200,2400"; empty if the text is not a list of numbers.
std::optional<std::vector<std::uint32_t>> number_list(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& part : split(text, ',')) {
    const auto number = whole_number(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<std::uint32_t> bodies_from_list(const std::vector<std::uint32_t>& first, std::size_t polygons) {
  if (first[0] != 0) refuse_bodies("the list names the first polygon of each body, so it starts with 0");
  for (std::size_t i = 1; i < first.size(); ++i)
    if (first[i] <= first[i - 1]) refuse_bodies("the first polygons of the bodies must rise");
  if (first.back() >= polygons)
    refuse_bodies(fmt::format("polygon {} starts a body, but the frame has {} polygons", first.back(), polygons));
  std::vector<std::uint32_t> body(polygons);
  for (std::size_t p = 0, b = 0; p < polygons; ++p) {
    if (b + 1 < first.size() && first[b + 1] == p) ++b;
    body[p] = static_cast<std::uint32_t>(b);
  }
  return body;
}

std::vector<std::uint32_t> bodies_from_file(const std::string& name, std::size_t polygons) {
  std::ifstream file(name);
  if (!file)
    refuse_bodies(
        fmt::format("\"{}\" is neither a list of first polygons like 0,1200 nor a file that can be read", name));
  std::vector<std::uint32_t> body;
  for (std::string word; file >> word;) {
    const auto number = whole_number(word);
    if (!number || *number >= polygons)
      refuse_bodies(fmt::format("\"{}\" is no body: bodies are whole numbers from 0, one for each polygon", word),
                    name);
    body.push_back(*number);
  }
  if (body.size() != polygons)
    refuse_bodies(
        fmt::format("there must be one body number for each of the {} polygons, not {}", polygons, body.size()), name);
  return body;
}

void number_vertices(const Mesh& mesh, BodySplit& split) {
  split.of_vertex.assign(mesh.vertex_count(), BodySplit::none);
  std::vector<bool> used(split.count);
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p)
    for (const std::uint32_t v : mesh.polygon(PolygonId{p})) {
      const std::uint32_t body = split.of_polygon[p];
      used[body] = true;
      if (split.of_vertex[v] != BodySplit::none && split.of_vertex[v] != body)
        refuse_bodies(fmt::format("bodies {} and {} share vertex {}; a body's vertices must be its own",
                                  split.of_vertex[v], body, v));
      split.of_vertex[v] = body;
    }
  const auto missing = std::find(used.begin(), used.end(), false);
  if (missing != used.end()) refuse_bodies(fmt::format("body {} has no polygon", missing - used.begin()));
}

}  // namespace

Frame load_frame(const std::string& name) {
  std::vector<std::string> files{name};
  if (!std::filesystem::exists(name)) files = split(name, '+');
  if (files.size() == 1) {
    Mesh mesh = load_mesh(name);
    const std::size_t polygons = mesh.polygon_count();
    return {std::move(mesh), std::vector<std::uint32_t>(polygons, 0), 1};
  }
  std::vector<Vec3> positions;
  PolygonList polygons;
  LooseParts loose;
  std::vector<std::uint32_t> file_of;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (files[i].empty())
      throw Error({.code = ErrorCode::bad_option,
                   .message = fmt::format("\"{}\": a file's name is missing beside a +; write a.obj+b.obj", name),
                   .element = "frame",
                   .id = ErrorDetail::none,
                   .file = {},
                   .line = ErrorDetail::none});
    const Mesh mesh = load_mesh(files[i]);
    const auto offset = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), mesh.positions().begin(), mesh.positions().end());
    for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
      std::vector<std::uint32_t> corners(mesh.polygon(PolygonId{p}).begin(), mesh.polygon(PolygonId{p}).end());
      for (std::uint32_t& c : corners) c += offset;
      polygons.add(corners);
      file_of.push_back(i);
    }
    for (const auto& [a, b] : mesh.edges()) loose.edges.push_back({a + offset, b + offset});
    for (const std::uint32_t p : mesh.points()) loose.points.push_back(p + offset);
  }
  return {Mesh(std::move(positions), std::move(polygons), {}, std::move(loose)), std::move(file_of),
          static_cast<std::uint32_t>(files.size())};
}

BodySplit split_bodies(const Frame& frame, const std::string& bodies) {
  BodySplit split;
  if (!bodies.empty()) {
    const auto list = number_list(bodies);
    const std::size_t polygons = frame.mesh.polygon_count();
    split.of_polygon = list ? bodies_from_list(*list, polygons) : bodies_from_file(bodies, polygons);
  } else if (frame.files > 1) {
    split.of_polygon = frame.file_of_polygon;
  } else {
    split.components = true;
    split.of_polygon = classify(frame.mesh).component_of;
  }
  if (!split.of_polygon.empty()) {
    split.count = 1 + *std::max_element(split.of_polygon.begin(), split.of_polygon.end());
    number_vertices(frame.mesh, split);
  }
  if (frame.mesh.loose().empty()) return split;
  // Loose edges and points between other vertices are bodies of their own.
  split.of_vertex = vertex_bodies(frame.mesh, split.components ? std::vector<std::uint32_t>() : split.of_polygon);
  for (const std::uint32_t body : split.of_vertex) split.count = std::max(split.count, body + 1);
  return split;
}

}  // namespace graze::app
