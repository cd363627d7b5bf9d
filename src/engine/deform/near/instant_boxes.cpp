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

namespace {

/// Points within the distance differ by at most that along an axis, and sqrt 3 times it along x + y + z. M is the
/// largest coordinate. A coordinate is rounded to single precision by at most 2^-24 M, the sum of three of these by at
/// most 2^-22 M in all, and the clearance is added with an error of at most 2^-24 of 3 M and itself: for the two bounds
/// that are compared 2^-20 M and 2^-20 of the clearance are more than all that. What underflows is covered by 1e-37. Of
/// a scene whose coordinates could not be scaled nothing is told apart: float could not hold them.
double rounding(double most) { return 0x1p-20 * most + 1e-37; }
float raised_by(double length, double most) {
  const double clearance = length * (1 + 0x1p-20) + rounding(most);
  return most <= 0x1p25 && clearance < 1e30 ? static_cast<float>(clearance) : std::numeric_limits<float>::infinity();
}

void add(const Vec3& p, NodeBounds& b) {
  const auto x = static_cast<float>(p.x), y = static_cast<float>(p.y), z = static_cast<float>(p.z);
  const float at[8] = {x, y, z, x + y + z, x + y - z, x - y + z, x - y - z, 0};
  for (int k = 0; k < 8; ++k) {
    b.lo[k] = std::min(b.lo[k], at[k]);
    b.hi[k] = std::max(b.hi[k], at[k]);
  }
}

void unite(const NodeBounds& a, const NodeBounds& b, NodeBounds& sum) {
  for (int k = 0; k < 8; ++k) {
    sum.lo[k] = std::min(a.lo[k], b.lo[k]);
    sum.hi[k] = std::max(a.hi[k], b.hi[k]);
  }
}

}  // namespace

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
  most_ = most / unit_;
  // A difference is rounded by at most 2^-53 of itself.
  clearance_ = distance_ * (1 + 0x1p-50);
}

void InstantBoxes::refit(const Topology& topology, const PatchTree& tree, std::span<const Vec3> positions,
                         double distance, int threads) {
  scale(topology, positions, distance, threads);
  nodes_.resize(tree.nodes.size());
  bounds_.resize(tree.nodes.size());
  children_.resize(tree.nodes.size());
  sharp_ = rounding(most_) <= 0.05 * distance_;
  const float raised[2] = {raised_by(distance_, most_), raised_by(1.7320508075688774 * distance_, most_)};
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& node = tree.nodes[i];
    NodeBox& b = nodes_[i];
    children_[i] = node.is_leaf() ? 0 : node.child;
    if (!node.is_leaf()) {
      const NodeBox &x = nodes_[node.child], &y = nodes_[node.child + 1];
      for (std::size_t k = 0; k < 3; ++k) {
        b.lo[k] = std::min(x.lo[k], y.lo[k]);
        b.hi[k] = std::max(x.hi[k], y.hi[k]);
      }
      unite(bounds_[node.child], bounds_[node.child + 1], bounds_[i]);
      return;
    }
    b.lo.fill(math::infinity);
    b.hi.fill(-math::infinity);
    NodeBounds& f = bounds_[i];
    std::fill_n(f.lo, 8, std::numeric_limits<float>::infinity());
    std::fill_n(f.hi, 8, -std::numeric_limits<float>::infinity());
    for (std::uint32_t item = node.begin; item < node.end; ++item)
      for (const std::uint32_t v : topology.triangle(tree.items[item])) {
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = points_[v][static_cast<int>(k)];
          b.lo[k] = std::min(b.lo[k], x);
          b.hi[k] = std::max(b.hi[k], x);
        }
        add(points_[v], f);
      }
    for (int k = 0; k < 8; ++k) f.hi[k] += raised[k < 3 ? 0 : 1];
  });
}

}  // namespace graze::engine::deform
