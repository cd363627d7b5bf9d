// SPDX-License-Identifier: MIT
#include "deform/deform_near.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <graze/ask/proximity.hpp>
#include <graze/core/error.hpp>

#include "command.hpp"
#include "deform/deform_bodies.hpp"
#include "deform/deform_filter.hpp"
#include "deform/deform_frames.hpp"
#include "input/choices.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

const char* parts_name(ElementaryKind kind) {
  switch (kind) {
    case ElementaryKind::vertex_face: return "vf";
    case ElementaryKind::edge_edge: return "ee";
    case ElementaryKind::vertex_edge: return "ve";
    case ElementaryKind::vertex_vertex: break;
  }
  return "vv";
}

std::size_t corners(const ProximityPair& p) {
  if (p.kind == ElementaryKind::vertex_vertex) return 2;
  return p.kind == ElementaryKind::vertex_edge ? 3 : 4;
}

std::size_t count(const ProximityResult& r, ElementaryKind kind) {
  return static_cast<std::size_t>(
      std::count_if(r.pairs.begin(), r.pairs.end(), [&](const ProximityPair& p) { return p.kind == kind; }));
}

double least_distance(const ProximityResult& r) {
  const auto least =
      std::min_element(r.pairs.begin(), r.pairs.end(),
                       [](const ProximityPair& a, const ProximityPair& b) { return a.distance < b.distance; });
  return least->distance;
}

Json near_json(const ProximityResult& r, double distance) {
  Json out;
  out["version"] = 1;
  out["status"] = graze::name(r.status);
  out["distance"] = distance;
  for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge, ElementaryKind::vertex_edge,
                                    ElementaryKind::vertex_vertex})
    out[parts_name(kind)] = count(r, kind);
  Json& list = out["pairs"] = Json::array();
  for (const ProximityPair& p : r.pairs) {
    Json& pair = list.emplace_back();
    pair["kind"] = parts_name(p.kind);
    pair["vertices"] = std::vector<std::uint32_t>(p.vertices.begin(), p.vertices.begin() + corners(p));
    pair["weights"] = std::vector<double>(p.weights.begin(), p.weights.begin() + corners(p));
    pair["distance"] = p.distance;
    pair["of_vertex_face"] = p.vertex_face;
    pair["of_edge_edge"] = p.edge_edge;
  }
  out["counters"] = to_json(r.counters, nullptr);
  out["seconds"] = r.seconds;
  return out;
}

void print_near(const ProximityResult& r) {
  fmt::print("{}", coloured(graze::name(r.status), r.status));
  if (!r.pairs.empty()) fmt::print(", the nearest {} apart", least_distance(r));
  fmt::print("\n  {} vertex/vertex, {} vertex/edge, {} edge/edge and {} vertex/face pairs\n  {} in all\n",
             count(r, ElementaryKind::vertex_vertex), count(r, ElementaryKind::vertex_edge),
             count(r, ElementaryKind::edge_edge), count(r, ElementaryKind::vertex_face), time_text(r.seconds));
}

}  // namespace

int run_near(const NearCommand& command) {
  if (command.method != "iccd" && command.method != "brute")
    refuse_option("--near", "is answered by the methods iccd (the default) and brute");
  const double distance = parse_option_number(command.distance, "--near");
  if (!(distance >= 0) || std::isinf(distance)) refuse_option("--near", "a distance is finite and not negative");
  const Frame first = load_frame(command.frames[0]);
  const BodySplit split = split_bodies(first, command.bodies);
  const bool by_bodies = !split.components && !command.self;
  ProximityOptions options;
  options.self = command.self || by_bodies;
  options.threads = command.threads;
  std::optional<Deformable> mesh;
  if (command.method == "iccd") mesh.emplace(first.mesh);
  if (!command.filter.empty()) {
    if (!mesh) refuse_option("--filter", "is known to the method iccd; brute lists all pairs near each other");
    mesh->set_filter(load_filter(command.filter, first, split));
  }
  Progress progress(command.frames.size());
  ProximityResult result;
  for (const std::string& name : command.frames) {
    const Frame frame = load_frame(name);
    check_same_frame(first.mesh, command.frames[0], frame.mesh, name);
    if (mesh)
      mesh->near(frame.mesh.positions(), distance, options, result);
    else
      result = near_brute(first.mesh, frame.mesh.positions(), distance, options);
    if (result.error) throw Error(*result.error);
    if (by_bodies) {
      std::erase_if(result.pairs, [&](const ProximityPair& p) {
        const std::size_t other = p.kind == ElementaryKind::edge_edge ? 2 : 1;
        return split.of_vertex[p.vertices[0]] == split.of_vertex[p.vertices[other]];
      });
      if (result.pairs.empty()) result.status = Status::free;
    }
    progress.step();
    progress.before_output();
    if (command.json)
      print_line(near_json(result, distance));
    else
      print_near(result);
  }
  return exit_answered;
}

}  // namespace graze::app
