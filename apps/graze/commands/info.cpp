// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/weld.hpp>

#include "command.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

struct InfoCommand {
  InputOptions input;
  std::vector<std::string> files;
  bool json = false;
};

constexpr const char* info_footer =
    "Vertices and polygons are numbered from 0 in the file's order. An STL file repeats its vertices: use --weld.\n\n"
    "Examples:\n"
    "  graze make chair -o chair.off\n"
    "  graze make torus --triangles 5000 -o torus.stl --binary\n"
    "  graze info chair.off\n"
    "  graze info chair.off torus.stl --weld --json";

/// Everything that is printed about one file.
struct FileInfo {
  std::string file;
  Mesh mesh;
  std::optional<Body> body;  ///< none of a mesh without polygons
  Classification topology;
  std::size_t welded_vertices;  ///< vertices replaced by another at the same position
  double load_seconds;
};

/// Polygons no longer use a vertex that was welded to another, but the file did use it. Removes the vertices that were
/// used before welding from the list, and returns their number.
std::size_t take_off_welded(const Mesh& before, std::vector<VertexId>& unused) {
  std::vector<bool> used(before.vertex_count());
  for (const std::uint32_t v : before.polygons().corners) used[v] = true;
  return std::erase_if(unused, [&](VertexId v) { return used[index(v)]; });
}

FileInfo inspect(const std::string& file, const InputOptions& input) {
  const auto start = std::chrono::steady_clock::now();
  InputOptions as_it_is = input;
  as_it_is.weld = false;
  const Mesh raw = load(file, as_it_is), mesh = input.weld ? weld(raw) : raw;
  const std::chrono::duration<double> loaded = std::chrono::steady_clock::now() - start;
  Classification topology = classify(mesh);
  const std::size_t welded = input.weld ? take_off_welded(raw, topology.unused_vertices) : 0;
  std::optional<Body> body;
  if (mesh.polygon_count() > 0) body.emplace(mesh, BodyOptions{.threads = input.threads});
  return {file, mesh, std::move(body), std::move(topology), welded, loaded.count()};
}

double bytes_per_triangle(const Body& body) {
  return static_cast<double>(body.tree_bytes()) / static_cast<double>(body.mesh().triangle_count());
}

/// Names of single findings: in JSON by their ids, in text as "0-3" or "7".
Json edge_json(const std::array<VertexId, 2>& edge) { return Json::array({index(edge[0]), index(edge[1])}); }
std::string edge_text(const std::array<VertexId, 2>& edge) {
  return fmt::format("{}-{}", index(edge[0]), index(edge[1]));
}

template <class Id>
Json ids_json(const std::vector<Id>& ids) {
  Json out = Json::array();
  for (const Id id : ids) out.push_back(index(id));
  return out;
}

void add_findings(Json& out, const Classification& c) {
  out["non_planar_polygons"] = ids_json(c.non_planar_polygons);
  out["non_convex_polygons"] = ids_json(c.non_convex_polygons);
  out["degenerate_polygons"] = ids_json(c.degenerate_polygons);
  out["degenerate_triangles"] = ids_json(c.degenerate_triangles);
  Json& duplicates = out["duplicate_polygons"] = Json::array();
  for (const DuplicatePolygon& d : c.duplicate_polygons)
    duplicates.push_back({{"polygon", index(d.polygon)}, {"first", index(d.first)}});
  Json& boundary = out["boundary_edges"] = Json::array();
  for (const IrregularEdge& e : c.boundary_edges) boundary.push_back(edge_json(e.edge));
  Json& branching = out["non_manifold_edges"] = Json::array();
  for (const IrregularEdge& e : c.non_manifold_edges) branching.push_back(edge_json(e.edge));
  out["non_manifold_vertices"] = ids_json(c.non_manifold_vertices);
  Json& conflicts = out["orientation_conflicts"] = Json::array();
  for (const OrientationConflict& conflict : c.orientation_conflicts)
    conflicts.push_back(
        {{"edge", edge_json(conflict.edge)}, {"polygons", {index(conflict.polygons[0]), index(conflict.polygons[1])}}});
  out["unused_vertices"] = ids_json(c.unused_vertices);
}

/// How many polygons each named part has.
std::vector<std::size_t> polygons_of_groups(const PolygonGroups& groups) {
  std::vector<std::size_t> counts(groups.names.size());
  for (const std::uint32_t group : groups.of_polygon) ++counts[group];
  return counts;
}

Json groups_json(const PolygonGroups& groups) {
  const std::vector<std::size_t> counts = polygons_of_groups(groups);
  Json out = Json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    Json entry = to_json(groups.names[i]);
    entry["polygons"] = counts[i];
    out.push_back(std::move(entry));
  }
  return out;
}

Json info_json(const FileInfo& info) {
  const Mesh& mesh = info.mesh;
  const Classification& c = info.topology;
  Json out = new_object();
  out["file"] = info.file;
  out["vertices"] = mesh.vertex_count();
  out["welded_vertices"] = info.welded_vertices;
  out["polygons"] = mesh.polygon_count();
  out["triangles"] = mesh.triangle_count();
  out["edges"] = c.edge_count;
  out["loose_edges"] = mesh.edges().size();
  out["points"] = mesh.points().size();
  out["groups"] = groups_json(mesh.groups());
  if (info.body) out["box"] = {{"lo", to_json(mesh.box().lo)}, {"hi", to_json(mesh.box().hi)}};
  out["closed"] = c.closed;
  out["manifold"] = c.manifold;
  out["oriented"] = c.oriented;
  out["even"] = c.even;
  out["convex"] = c.convex;
  out["planar_polygons"] = c.planar_polygons;
  out["convex_polygons"] = c.convex_polygons;
  out["volume_sign"] = c.volume_sign;
  out["components"] = c.component_count;
  out["euler_characteristic"] = c.euler_characteristic;
  add_findings(out, c);
  if (info.body) {
    out["tree_bytes"] = info.body->tree_bytes();
    out["tree_bytes_per_triangle"] = bytes_per_triangle(*info.body);
    out["build_seconds"] = info.body->build_seconds();
  }
  out["load_seconds"] = info.load_seconds;
  return out;
}

void info_field(std::string_view label, std::string_view text) { print_field(label, text, 21); }

/// Prints how many there are and the first few; prints nothing if there are none.
template <class List, class Text>
void print_findings(const char* label, const List& list, Text&& text) {
  constexpr std::size_t shown_at_most = 6;
  if (list.empty()) return;
  std::string line = count_text(list.size()) + ":";
  const std::size_t shown = std::min(list.size(), shown_at_most);
  for (std::size_t i = 0; i < shown; ++i) line += (i == 0 ? " " : ", ") + text(list[i]);
  if (shown < list.size()) line += ", ... (--json lists all)";
  info_field(label, line);
}

void print_groups(const PolygonGroups& groups) {
  const std::vector<std::size_t> counts = polygons_of_groups(groups);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const PolygonGroup& name = groups.names[i];
    std::string text = name.object;
    if (!name.group.empty()) (text += text.empty() ? "" : " / ") += name.group;
    texts.push_back(fmt::format("{} ({})", text.empty() ? "unnamed" : text, count_text(counts[i])));
  }
  print_findings("groups (polygons)", texts, [](const std::string& text) { return text; });
}

void print_findings(const Classification& c) {
  const auto id = [](auto value) { return std::to_string(index(value)); };
  const auto edge = [](const IrregularEdge& e) { return edge_text(e.edge); };
  print_findings("boundary edges", c.boundary_edges, edge);
  print_findings("non-manifold edges", c.non_manifold_edges, edge);
  print_findings("non-manifold vertices", c.non_manifold_vertices, id);
  print_findings("conflicts", c.orientation_conflicts, [](const OrientationConflict& conflict) {
    return fmt::format("edge {} (polygons {}, {})", edge_text(conflict.edge), index(conflict.polygons[0]),
                       index(conflict.polygons[1]));
  });
  print_findings("not planar", c.non_planar_polygons, id);
  print_findings("not convex", c.non_convex_polygons, id);
  print_findings("degenerate polygons", c.degenerate_polygons, id);
  print_findings("degenerate triangles", c.degenerate_triangles, id);
  print_findings("duplicates", c.duplicate_polygons,
                 [](const DuplicatePolygon& d) { return fmt::format("{} (as {})", index(d.polygon), index(d.first)); });
  print_findings("unused vertices", c.unused_vertices, id);
}

void print_info(const FileInfo& info) {
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  const Mesh& mesh = info.mesh;
  const Classification& c = info.topology;
  fmt::print("{}\n", bold(info.file));
  const std::string vertices = count_text(mesh.vertex_count());
  info_field("vertices", info.welded_vertices == 0 ? vertices
                                                   : fmt::format("{}, of which {} were welded to others", vertices,
                                                                 count_text(info.welded_vertices)));
  info_field("polygons", count_text(mesh.polygon_count()));
  info_field("triangles", count_text(mesh.triangle_count()));
  if (!mesh.edges().empty()) info_field("loose edges", count_text(mesh.edges().size()));
  if (!mesh.points().empty()) info_field("points", count_text(mesh.points().size()));
  if (!info.body) return info_field("read in", time_text(info.load_seconds));
  print_groups(mesh.groups());
  info_field("box", fmt::format("{} to {}", point_text(mesh.box().lo), point_text(mesh.box().hi)));
  info_field("closed", yes(c.closed));
  info_field("manifold", yes(c.manifold));
  info_field("oriented", c.volume_sign > 0 ? "yes, outward" : c.volume_sign < 0 ? "yes, inward" : yes(c.oriented));
  info_field("convex", yes(c.convex));
  info_field("planar polygons", yes(c.planar_polygons));
  info_field("convex polygons", yes(c.convex_polygons));
  info_field("components", count_text(c.component_count));
  info_field("Euler characteristic", std::to_string(c.euler_characteristic));
  print_findings(c);
  info_field("tree", fmt::format("{:.1f} bytes a triangle, built in {}", bytes_per_triangle(*info.body),
                                 time_text(info.body->build_seconds())));
  info_field("read in", time_text(info.load_seconds));
}

int run(const InfoCommand& command) {
  int exit_status = exit_answered;
  bool first = true;
  for (const std::string& file : command.files) try {
      const FileInfo info = inspect(file, command.input);
      if (command.json) {
        print_line(info_json(info));
        continue;
      }
      if (!std::exchange(first, false)) fmt::print("\n");
      print_info(info);
    } catch (const Error& error) {
      fmt::print(stderr, "graze: {}\n", error.what());
      exit_status = exit_refused;
    }
  return exit_status;
}

}  // namespace

void add_info(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<InfoCommand>();
  CLI::App* app = graze.add_subcommand("info", "What is in a mesh file: counts, box, topology, tree");
  app->footer(info_footer);
  app->add_option("FILES", command->files, "Mesh files")->type_name("FILE...")->required();
  add_input_options(*app, command->input);
  app->add_flag("--json", command->json, "Print one JSON object a file instead of text");
  app->callback([command, &exit_status] { exit_status = run(*command); });
}

}  // namespace graze::app
