// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

#include "core/large_memory.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::deform {

/// An axis-aligned box in doubles.
struct NodeBox {
  std::array<double, 3> lo, hi;
};

/// The boxes of a patch tree's nodes at one instant. Coordinates are scaled by a power of two such that products of a
/// few of them neither overflow nor underflow, if that rounds none of them. They are not relative to a centre, and so
/// not rounded: the box of a small part is as sharp as its coordinates, however far away other parts are.
class InstantBoxes {
 public:
  void refit(const Topology& topology, const PatchTree& tree, std::span<const Vec3> positions, double distance,
             int threads);

  std::span<const Vec3> points() const { return points_; }
  const NodeBox& node(std::uint32_t i) const { return nodes_[i]; }
  double distance() const { return distance_; }
  /// A length of the caller is this times one of these coordinates.
  double unit() const { return unit_; }
  /// Two points whose difference along an axis is rounded to more than this are certainly further apart than the
  /// distance.
  double clearance() const { return clearance_; }
  std::size_t bytes() const { return scaled_.size() * sizeof(Vec3) + nodes_.size() * sizeof(NodeBox); }

 private:
  void scale(const Topology& topology, std::span<const Vec3> positions, double distance, int threads);

  core::LargeVector<Vec3> scaled_;
  core::LargeVector<NodeBox> nodes_;
  std::vector<double> chunks_;
  std::span<const Vec3> points_;
  double distance_ = 0, unit_ = 1, clearance_ = 0;
};

}  // namespace graze::engine::deform
