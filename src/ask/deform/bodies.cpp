// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <graze/ask/deform_bodies.hpp>
#include <graze/mesh/classify.hpp>

#include "engine/deform/step_checks.hpp"
#include "engine/deform/walk/feature_tests.hpp"

namespace graze {

std::vector<BodyPairContacts> by_bodies(const DeformResult& result, const Mesh& mesh,
                                        std::span<const std::uint32_t> bodies) {
  const std::vector<std::uint32_t> pieces = bodies.empty() ? classify(mesh).component_of : std::vector<std::uint32_t>();
  const std::vector<std::uint32_t> body = engine::deform::bodies_of_vertices(mesh, bodies.empty() ? pieces : bodies);
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
  const std::vector<std::uint32_t> pieces =
      of_polygons.empty() ? classify(mesh).component_of : std::vector<std::uint32_t>();
  std::vector<std::uint32_t> body =
      engine::deform::bodies_of_vertices(mesh, of_polygons.empty() ? pieces : of_polygons);
  std::replace(body.begin(), body.end(), std::numeric_limits<std::uint32_t>::max(), 0u);
  return body;
}

}  // namespace graze
