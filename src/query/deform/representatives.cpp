// SPDX-License-Identifier: MIT
#include "query/deform/representatives.hpp"

#include <algorithm>
#include <numeric>

namespace graze::query {

std::vector<std::uint8_t> representatives(const Mesh& mesh) {
  const std::span<const Triangle> triangles = mesh.triangles();
  std::vector<std::uint8_t> bits(triangles.size(), 0);
  std::vector<bool> taken(mesh.vertex_count(), false);
  struct Edge {
    std::uint32_t lo, hi, triangle;
    std::uint8_t k;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (std::uint8_t k = 0; k < 3; ++k) {
      const std::uint32_t v = triangles[t][k], w = triangles[t][(k + 1u) % 3];
      if (!taken[v]) bits[t] = static_cast<std::uint8_t>(bits[t] | 1u << k);
      taken[v] = true;
      edges.push_back({std::min(v, w), std::max(v, w), t, k});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    if (a.lo != b.lo) return a.lo < b.lo;
    if (a.hi != b.hi) return a.hi < b.hi;
    return a.triangle != b.triangle ? a.triangle < b.triangle : a.k < b.k;
  });
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (i == 0 || edges[i].lo != edges[i - 1].lo || edges[i].hi != edges[i - 1].hi)
      bits[edges[i].triangle] = static_cast<std::uint8_t>(bits[edges[i].triangle] | 8u << edges[i].k);
  return bits;
}

std::vector<std::uint32_t> pieces(const Mesh& mesh) {
  std::vector<std::uint32_t> parent(mesh.vertex_count());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles())
    for (std::size_t k = 1; k < 3; ++k) {
      const std::uint32_t a = root(t[0]), b = root(t[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (std::uint32_t v = 0; v < parent.size(); ++v) parent[v] = root(v);
  return parent;
}

}  // namespace graze::query
