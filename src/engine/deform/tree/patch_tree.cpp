// SPDX-License-Identifier: MIT
#include "engine/deform/tree/patch_tree.hpp"

#include "engine/deform/tree/forest.hpp"
#include "engine/deform/tree/neighbours.hpp"
#include "engine/deform/tree/stars.hpp"

namespace graze::engine::deform {

PatchTree build_patch_tree(const Topology& topology, std::span<const bvh::BoxF> boxes, int threads) {
  Forest f;
  const auto n = static_cast<std::uint32_t>(topology.triangle_count());
  f.boxes.reserve(2 * boxes.size());  // including the joins
  f.boxes.assign(boxes.begin(), boxes.end());
  f.counts.reserve(2 * boxes.size());
  f.counts.assign(n, 1);
  f.units.reserve(n);
  core::LargeVector<std::array<std::uint32_t, 2>> touching;
  touching.reserve(n + n / 2);
  for (std::uint32_t t = 0; t < n; ++t) {
    f.units.push_back({t, false});
    for (std::size_t k = 0; k < 3; ++k) {
      if (t >= topology.surface_count() && k > 0 && is_star(topology, topology.triangle(t)[2 - k])) continue;
      for_each_neighbour(topology, t, k, [&](std::uint32_t other) {
        if (t < other) touching.push_back({t, other});
      });
    }
  }
  link_stars(topology, boxes, threads, touching);
  const std::vector<std::uint32_t> parts = join_units(f, std::move(touching), threads);
  f.first_above = f.counts.size();
  join_parts(f, parts, threads);
  return lay_out(f, nullptr, topology, threads);
}

}  // namespace graze::engine::deform
