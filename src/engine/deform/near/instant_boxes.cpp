// SPDX-License-Identifier: MIT
#include "engine/deform/near/instant_boxes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/chunks.hpp"
#include "engine/deform/tree/tree_branches.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

void InstantBoxes::scale(const Topology& topology, std::span<const Vec3> positions, double distance, int threads) {
  // Vertices without triangles may be anywhere.
  const auto used = [&](std::size_t v) { return !topology.around(static_cast<std::uint32_t>(v)).empty(); };
  constexpr std::size_t chunk = 1 << 12;
  chunks_.assign((positions.size() + chunk - 1) / chunk, 0);
  core::parallel_for(chunks_.size(), threads, [&](std::size_t c) {
    for (std::size_t v = c * chunk; v < std::min(positions.size(), (c + 1) * chunk); ++v)
      if (used(v)) chunks_[c] = std::max(chunks_[c], math::largest(positions[v]));
  });
  double most = 0;
  for (const double m : chunks_) most = std::max(most, m);
  int exponent = 0;
  std::frexp(most, &exponent);
  exponent = std::clamp(exponent, -1000, 1000);
  const double factor = std::ldexp(1.0, -exponent);
  unit_ = std::ldexp(1.0, exponent);
  scaled_.resize(positions.size());
  std::atomic<bool> exact{distance * factor * unit_ == distance};
  core::in_chunks(positions.size(), threads, [&](std::size_t v) {
    if (!used(v)) return;
    scaled_[v] = positions[v] * factor;
    if (!(scaled_[v] * unit_ == positions[v])) exact.store(false, std::memory_order_relaxed);
  });
  points_ = scaled_;
  distance_ = distance * factor;
  if (!exact) {
    points_ = positions;
    distance_ = distance;
    unit_ = 1;
  }
  // A difference is rounded by at most 2^-53 of itself.
  clearance_ = distance_ * (1 + 0x1p-50);
}

void InstantBoxes::refit(const Topology& topology, const PatchTree& tree, std::span<const Vec3> positions,
                         double distance, int threads) {
  scale(topology, positions, distance, threads);
  nodes_.resize(tree.nodes.size());
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& node = tree.nodes[i];
    NodeBox& b = nodes_[i];
    if (!node.is_leaf()) {
      const NodeBox &x = nodes_[node.child], &y = nodes_[node.child + 1];
      for (std::size_t k = 0; k < 3; ++k) {
        b.lo[k] = std::min(x.lo[k], y.lo[k]);
        b.hi[k] = std::max(x.hi[k], y.hi[k]);
      }
      return;
    }
    b.lo.fill(math::infinity);
    b.hi.fill(-math::infinity);
    for (std::uint32_t item = node.begin; item < node.end; ++item)
      for (const std::uint32_t v : topology.triangle(tree.items[item]))
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = points_[v][static_cast<int>(k)];
          b.lo[k] = std::min(b.lo[k], x);
          b.hi[k] = std::max(b.hi[k], x);
        }
  });
}

}  // namespace graze::engine::deform
