// SPDX-License-Identifier: MIT
#include "deform/deform_output.hpp"

#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <graze/ask/contact_details.hpp>
#include <graze/ask/deform_bodies.hpp>
#include <graze/core/status.hpp>

#include "deform/contact_kind.hpp"
#include "output/print.hpp"

namespace graze::app {
namespace {

Json vector_json(const Vec3& v) { return {v.x, v.y, v.z}; }

std::size_t count(const std::vector<DeformContact>& contacts, std::string_view kind) {
  std::size_t n = 0;
  for (const DeformContact& c : contacts) n += contact_kind(c) == kind;
  return n;
}

void add_counts(const std::vector<DeformContact>& contacts, Json& out) {
  for (const std::string_view kind : contact_kinds) out[std::string(kind)] = count(contacts, kind);
}

}  // namespace

Json bracket_json(const TimeBracket& time) {
  const auto number = [](double x) { return x == x ? Json(x) : Json(); };
  return {number(time.safe), number(time.touch)};
}

namespace {

/// The same answer by pairs of bodies.
Json between_json(const DeformResult& r, const Mesh& mesh, const BodySplit& split) {
  Json list = Json::array();
  const auto bodies = split.components ? std::span<const std::uint32_t>() : split.of_polygon;
  for (const BodyPairContacts& p : by_bodies(r, mesh, bodies)) {
    Json& pair = list.emplace_back();
    pair["bodies"] = {p.a, p.b};
    pair["time"] = bracket_json(p.time);
    add_counts(p.contacts, pair);
    pair["crossing_at_start"] = p.crossing_at_start.size();
    pair["edges_crossing_at_start"] = p.edges_crossing_at_start.size();
  }
  return list;
}

}  // namespace

Json step_json(const DeformResult& r, const MethodCounters& of_method, const std::string& method, const Mesh& mesh,
               const BodySplit& split, std::size_t bytes) {
  Json out;
  out["version"] = 1;
  out["method"] = method;
  out["status"] = graze::name(r.status);
  out["time"] = bracket_json(r.time);
  add_counts(r.contacts, out);
  Json& crossing = out["crossing_at_start"] = Json::array();
  for (const TrianglePair& p : r.crossing_at_start) crossing.push_back({index(p.a), index(p.b)});
  Json& edges = out["edges_crossing_at_start"] = Json::array();
  for (const EdgeCrossing& e : r.edges_crossing_at_start) edges.push_back({e.edge, index(e.triangle)});
  out["bodies"] = split.count;
  out["between"] = between_json(r, mesh, split);
  if (bytes > 0) out["bytes"] = bytes;
  out["counters"] = to_json(r.counters, &of_method);
  out["seconds"] = {{"total", r.seconds.total},
                    {"build", r.seconds.build},
                    {"refit", r.seconds.refit},
                    {"patches", r.seconds.patches},
                    {"traversal", r.seconds.traversal},
                    {"elementary", r.seconds.elementary},
                    {"crossing_at_start", r.seconds.start}};
  return out;
}

Json details_json(const DeformResult& r, const Mesh& mesh, std::span<const Vec3> from, std::span<const Vec3> to,
                  const BodySplit& split, const DeformOptions& asked) {
  std::vector<DeformContactDetail> details(r.contacts.size());
  DeformContactDetailOptions options;
  options.bodies = split.of_vertex;
  options.ends = true;
  options.tolerance = asked.tolerance;
  options.min_separation = asked.min_separation;
  options.exact = asked.exact;
  options.threads = asked.threads;
  DeformContactDetails(mesh).find(from, to, r.contacts, details, options);
  Json list = Json::array();
  for (std::size_t i = 0; i < details.size(); ++i) {
    const DeformContact& c = r.contacts[i];
    const DeformContactDetail& d = details[i];
    Json& contact = list.emplace_back();
    contact["kind"] = contact_kind(c);
    contact["vertices"] = c.vertices;
    contact["time"] = bracket_json(c.time);
    contact["closest"] = d.closest;
    contact["weights"] = d.weights;
    contact["a"] = vector_json(d.a);
    contact["b"] = vector_json(d.b);
    contact["normal"] = vector_json(d.normal);
    contact["gap"] = d.gap;
    for (const std::optional<PolygonId>& p : d.polygons)
      contact["polygons"].push_back(p ? Json(index(*p)) : Json(nullptr));
    contact["bodies"] = d.bodies;
    contact["end"] = {d.present_until, d.apart_after};
  }
  return list;
}

void print_step(const DeformResult& r) {
  fmt::print("{}", coloured(graze::name(r.status), r.status));
  if (!r.contacts.empty()) fmt::print(", first at t = {}", r.time.touch);
  fmt::print("\n  {} vertex/face and {} edge/edge contacts, {} triangle pairs cross at the start\n",
             count(r.contacts, "vf"), count(r.contacts, "ee"), r.crossing_at_start.size());
  const std::size_t ve = count(r.contacts, "ve"), vv = count(r.contacts, "vv");
  if (ve + vv + r.edges_crossing_at_start.size() > 0)
    fmt::print("  {} vertex/edge and {} vertex/point contacts, {} loose edges cross triangles at the start\n", ve, vv,
               r.edges_crossing_at_start.size());
  fmt::print("  {} in all\n", time_text(r.seconds.total));
}

std::vector<std::string> csv_lines(const DeformResult& r) {
  std::vector<std::string> lines;
  for (const DeformContact& c : r.contacts)
    lines.push_back(fmt::format("{},{},{},{},{},{},{}", contact_kind(c), c.vertices[0], c.vertices[1], c.vertices[2],
                                c.vertices[3], c.time.safe, c.time.touch));
  return lines;
}

}  // namespace graze::app
