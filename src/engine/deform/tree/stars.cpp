// SPDX-License-Identifier: MIT
#include "engine/deform/tree/stars.hpp"

#include <algorithm>
#include <vector>

#include "bvh/tree.hpp"

namespace graze::engine::deform {

namespace {

constexpr std::size_t many_in_star = 64;  // as for the bounds of fans

std::span<const std::uint32_t> loose_at(const Topology& topology, std::uint32_t v) {
  const auto around = topology.around(v);
  const auto first = std::lower_bound(around.begin(), around.end(), topology.surface_count());
  return around.subspan(static_cast<std::size_t>(first - around.begin()));
}

}  // namespace

bool is_star(const Topology& topology, std::uint32_t vertex) {
  return loose_at(topology, vertex).size() >= many_in_star;
}

void link_stars(const Topology& topology, std::span<const bvh::BoxF> boxes, int threads,
                core::LargeVector<std::array<std::uint32_t, 2>>& touching) {
  if (topology.surface_count() == topology.triangle_count()) return;
  for (std::uint32_t v = 0; v < topology.vertex_count(); ++v) {
    if (!is_star(topology, v)) continue;
    const auto loose = loose_at(topology, v);
    std::vector<bvh::BoxF> of_loose;
    for (const std::uint32_t t : loose) of_loose.push_back(boxes[t]);
    // Depth first, so neighbours in this list are near each other.
    const bvh::Tree tree = bvh::build(of_loose, {.max_leaf_size = 4, .threads = threads});
    for (std::size_t i = 1; i < tree.items.size(); ++i) {
      const std::uint32_t a = loose[tree.items[i - 1]], b = loose[tree.items[i]];
      touching.push_back({std::min(a, b), std::max(a, b)});
    }
  }
}

}  // namespace graze::engine::deform
