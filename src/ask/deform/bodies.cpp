// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <graze/ask/deform_bodies.hpp>
#include <graze/ask/deform_filter.hpp>

#include "core/disjoint_sets.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/walk/feature_tests.hpp"

namespace graze {

std::vector<BodyPairContacts> by_bodies(const DeformResult& result, const Mesh& mesh,
                                        std::span<const std::uint32_t> bodies) {
  const std::vector<std::uint32_t> body = vertex_bodies(mesh, bodies);
  std::map<std::pair<std::uint32_t, std::uint32_t>, BodyPairContacts> pairs;
  const auto between = [&](std::uint32_t v, std::uint32_t w) -> BodyPairContacts& {
    return pairs[std::minmax(body[v], body[w])];
  };
  for (const DeformContact& c : result.contacts) {
    const std::size_t second = c.kind == ElementaryKind::vertex_face ? 1 : 2;
    between(c.vertices[0], c.vertices[second]).contacts.push_back(c);
  }
  const auto corner = [&](TriangleId t) { return mesh.triangles()[index(t)][0]; };
  for (const TrianglePair& p : result.crossing_at_start)
    between(corner(p.a), corner(p.b)).crossing_at_start.push_back(p);
  for (const EdgeCrossing& e : result.edges_crossing_at_start)
    between(mesh.edges()[e.edge][0], corner(e.triangle)).edges_crossing_at_start.push_back(e);
  std::vector<BodyPairContacts> list;
  for (auto& [names, pair] : pairs) {
    std::tie(pair.a, pair.b) = names;
    const auto first = std::min_element(pair.contacts.begin(), pair.contacts.end(), engine::deform::earlier);
    pair.time = {1, std::numeric_limits<double>::quiet_NaN()};
    if (first != pair.contacts.end()) pair.time = first->time;
    list.push_back(std::move(pair));
  }
  return list;
}

std::vector<std::uint32_t> vertex_bodies(const Mesh& mesh, std::span<const std::uint32_t> of_polygons) {
  constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> body(mesh.vertex_count(), nobody);
  core::DisjointSets sets(mesh.vertex_count());
  std::uint32_t next = 0;
  if (of_polygons.empty()) {
    for (const Triangle& t : mesh.triangles())
      for (const std::uint32_t v : t) sets.unite(t[0], v);
  } else {
    body = engine::deform::bodies_of_vertices(mesh, of_polygons);
    next = 1 + *std::max_element(of_polygons.begin(), of_polygons.end());
  }
  for (const auto& [a, b] : mesh.edges())
    if (body[a] == nobody && body[b] == nobody) sets.unite(a, b);
  std::vector<std::uint32_t> of_root(mesh.vertex_count(), nobody);
  const auto number = [&](std::uint32_t v) {
    if (body[v] != nobody) return;
    std::uint32_t& of = of_root[sets.root(v)];
    if (of == nobody) of = next++;
    body[v] = of;
  };
  for (const std::uint32_t v : mesh.polygons().corners) number(v);
  for (const auto& [a, b] : mesh.edges()) number(a), number(b);
  for (const std::uint32_t v : mesh.points()) number(v);
  std::replace(body.begin(), body.end(), nobody, 0u);
  return body;
}

}  // namespace graze
