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

/// Bounds of a node along the axes and the four diagonals of a cube, in single precision: what lies diagonally in its
/// box is far slimmer along these. The last of eight directions is unused.
struct NodeBounds {
  alignas(32) float lo[8];
  alignas(32) float hi[8];  ///< raised by what two bounds may be apart within the clearance, and by all rounding

  bool apart(const NodeBounds& o) const {
    int apart = 0;
    for (int k = 0; k < 8; ++k) apart |= static_cast<int>(lo[k] > o.hi[k]) | static_cast<int>(o.lo[k] > hi[k]);
    return apart != 0;
  }
  float size() const { return (hi[0] - lo[0]) + (hi[1] - lo[1]) + (hi[2] - lo[2]); }
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
  const NodeBounds& bounds(std::uint32_t i) const { return bounds_[i]; }
  /// The first child of a node, or 0: it is a leaf.
  std::uint32_t child(std::uint32_t i) const { return children_[i]; }
  /// Are the bounds so sharp that the boxes in doubles need not be looked at? Not where a part is far away, and the
  /// distance small.
  bool sharp() const { return sharp_; }
  double distance() const { return distance_; }
  /// A length of the caller is this times one of these coordinates.
  double unit() const { return unit_; }
  /// Two points whose difference along an axis is rounded to more than this are certainly further apart than the
  /// distance.
  double clearance() const { return clearance_; }
  std::size_t bytes() const {
    return scaled_.size() * sizeof(Vec3) +
           nodes_.size() * (sizeof(NodeBox) + sizeof(NodeBounds) + sizeof(std::uint32_t));
  }

 private:
  void scale(const Topology& topology, std::span<const Vec3> positions, double distance, int threads);

  core::LargeVector<Vec3> scaled_;
  core::LargeVector<NodeBox> nodes_;
  core::LargeVector<NodeBounds> bounds_;
  core::LargeVector<std::uint32_t> children_;
  std::vector<double> chunks_;
  std::span<const Vec3> points_;
  double distance_ = 0, unit_ = 1, clearance_ = 0, most_ = 0;
  bool sharp_ = false;
};

}  // namespace graze::engine::deform
