// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/ask/proximity.hpp>

#include "engine/deform/near/closest_parts.hpp"

namespace graze::engine::deform {

/// The closest parts of a pair of features, by their vertices: a `ProximityPair` without its measures.
struct NamedPair {
  std::array<std::uint32_t, 4> vertices{};
  ElementaryKind kind = ElementaryKind::vertex_vertex;  ///< of the closest parts
  bool nearly_parallel = false;
  std::uint8_t closest = 0;
  bool of_edges = false;  ///< found as a pair of edges

  /// In the order of results: by kind, then `nearly_parallel`; below 8.
  unsigned group() const { return 2 * static_cast<unsigned>(kind) + (nearly_parallel ? 1 : 0); }
  bool same_parts(const NamedPair& o) const { return group() == o.group() && vertices == o.vertices; }
};

/// The name of the parts `mask` (as of `closest_parts`) of a pair of features. `by_itself`: two nearly parallel edges.
inline NamedPair named(ElementaryKind kind, const std::array<std::uint32_t, 4>& v, unsigned mask, bool by_itself) {
  const bool edges = kind == ElementaryKind::edge_edge;
  const unsigned first_bits = edges ? 3 : 1;
  std::uint32_t first[2], second[3];
  unsigned n = 0, m = 0;
  for (unsigned k = 0; k < 4; ++k) {
    if (!(mask >> k & 1)) continue;
    if (first_bits >> k & 1)
      first[n++] = v[k];
    else
      second[m++] = v[k];
  }
  NamedPair r;
  r.of_edges = edges;
  if (n == 1 && m == 1)
    r.kind = ElementaryKind::vertex_vertex;
  else if (n + m == 3)
    r.kind = ElementaryKind::vertex_edge;
  else
    r.kind = kind;
  r.nearly_parallel = by_itself;
  if (by_itself || n + m == 4) {
    r.vertices = v;
    r.closest = static_cast<std::uint8_t>(mask);
  } else if (n + m == 3) {
    const std::uint32_t* const edge = n == 2 ? first : second;
    r.vertices = {n == 1 ? first[0] : second[0], edge[0], edge[1], edge[1]};
    r.closest = 7;
  } else {
    const bool in_order = first[0] < second[0];
    const std::uint32_t low = in_order ? first[0] : second[0], high = in_order ? second[0] : first[0];
    r.vertices = {low, high, high, high};
    r.closest = 3;
  }
  return r;
}

/// The closest parts of a named pair as points, and the places of all four points in `vertices`.
struct PlacedParts {
  Parts parts;
  std::array<std::size_t, 4> at{0, 1, 2, 3};
};
inline PlacedParts placed(ElementaryKind kind, bool nearly_parallel, unsigned closest,
                          const std::array<std::uint32_t, 4>& vertices, std::span<const Vec3> positions) {
  PlacedParts r;
  r.parts.kind = kind;
  std::size_t n = 0;
  if (!nearly_parallel) {
    n = kind == ElementaryKind::vertex_vertex ? 2 : kind == ElementaryKind::vertex_edge ? 3 : 4;
  } else {
    // The single vertex of a vertex/edge pair comes first, and what is not among the closest parts comes last.
    const bool later = kind == ElementaryKind::vertex_edge && (closest & 3) == 3;
    const std::array<std::size_t, 4> order{later ? 2u : 0u, later ? 3u : 1u, later ? 0u : 2u, later ? 1u : 3u};
    for (const std::size_t k : order)
      if (closest >> k & 1) r.at[n++] = k;
    std::size_t rest = n;
    for (const std::size_t k : order)
      if (!(closest >> k & 1)) r.at[rest++] = k;
  }
  for (std::size_t k = 0; k < n; ++k) r.parts.points[k] = positions[vertices[r.at[k]]];
  return r;
}
inline PlacedParts placed(const NamedPair& p, std::span<const Vec3> positions) {
  return placed(p.kind, p.nearly_parallel, p.closest, p.vertices, positions);
}
inline PlacedParts placed(const ProximityPair& p, std::span<const Vec3> positions) {
  return placed(p.kind, p.nearly_parallel, p.closest, p.vertices, positions);
}

}  // namespace graze::engine::deform
