// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/first_contact/spans/contact_stage.hpp"
#include "engine/first_contact/spans/near_pairs.hpp"

namespace graze::engine::first_contact {

/// A vertex and one triangle of a face, or two edges: the elements of a feature pair.
struct ElementaryPair {
  Feature feature;
  std::uint32_t triangle_a, triangle_b;
  std::uint8_t part_a, part_b;  ///< corner or edge 0..2 of the triangle; 3: all of it
  double time;                  ///< certified more than the tolerance apart before

  LocalPoints points_a(const body::BodyData& body) const { return points(body, triangle_a, part_a, is_edge_edge()); }
  LocalPoints points_b(const body::BodyData& body) const { return points(body, triangle_b, part_b, is_edge_edge()); }
  bool is_edge_edge() const { return feature.kind == FeatureKind::edge_edge; }

 private:
  static LocalPoints points(const body::BodyData& body, std::uint32_t triangle, std::uint8_t part, bool edge);
};

/// The elementary pairs of pairs of triangles, sorted by feature, each once. A vertex or an edge belongs to several
/// triangles; the first of them represents it (ICCD's representative triangles), so that a feature pair whose
/// representatives were certified apart is not tested again by its neighbours. Diagonals of a planar polygon are not
/// features: its vertices, its true edges and its face are sufficient.
std::vector<ElementaryPair> elementary_pairs(const body::BodyData& a, const body::BodyData& b,
                                             std::span<const NearPair> near);

}  // namespace graze::engine::first_contact
