// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "engine/deform/topology/topology.hpp"

namespace graze::engine::deform {

/// The last triangle with the edge before t and the first one after it.
template <class Visit>
void visit_beside(const Topology& topology, std::uint32_t t, const EdgeVertices& e, Visit&& visit) {
  const auto near = topology.around_edge(e);
  const auto at = std::lower_bound(near.begin(), near.end(), t);
  const auto with_edge = [&](std::uint32_t i) { return i != t && topology.has_edge(i, e); };
  if (const auto i = std::find_if(std::reverse_iterator(at), near.rend(), with_edge); i != near.rend()) visit(*i);
  if (const auto i = std::find_if(at, near.end(), with_edge); i != near.end()) visit(*i);
}

/// The last loose edge at a vertex before t and the first one after it.
template <class Visit>
void visit_loose_at(const Topology& topology, std::uint32_t t, std::uint32_t v, Visit&& visit) {
  const auto near = topology.around(v);
  const auto at = std::lower_bound(near.begin(), near.end(), t);
  if (at != near.begin() && *(at - 1) >= topology.surface_count()) visit(*(at - 1));
  if (at + 1 != near.end()) visit(*(at + 1));
}

/// All triangles at an edge are connected, whatever their number: each with its predecessor and its successor. So are
/// all loose edges and points at a vertex, at the other two sides of their triangles.
template <class Visit>
void for_each_neighbour(const Topology& topology, std::uint32_t t, std::size_t k, Visit&& visit) {
  if (t >= topology.surface_count() && k > 0)
    return visit_loose_at(topology, t, topology.triangle(t)[k == 1 ? 1 : 0], visit);
  const std::uint32_t other = topology.across(t, k);
  if (Topology::is_triangle(other))
    visit(other);
  else if (other == Topology::irregular)
    visit_beside(topology, t, edge_of(topology.triangle(t), k), visit);
}

}  // namespace graze::engine::deform
