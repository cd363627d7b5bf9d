// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/box3.hpp>

#include "core/large_memory.hpp"
#include "query/deform/patch_tree.hpp"
#include "query/deform/topology.hpp"

namespace graze::query {

/// The nine directions of an 18-DOP: the axes, and the sums and differences of two of them.
constexpr int dop_directions = 9;

/// How far something reaches along the nine directions at both ends of a step. Everything between moves linearly, so
/// the bounds interpolated linearly are bounds in between (DESIGN 4): two of these that are apart along one direction,
/// on the same side, at both ends, are apart throughout.
struct Dop {
  float lo[2][8], hi[2][8];  ///< by end and direction, the first eight
  /// The ninth: lo at both ends, then minus hi at both ends, so that all its gaps are one sum.
  float ninth[4];
};

/// A vertex along the nine directions at both ends.
struct VertexProjection {
  float at[2][8];
  float ninth[2];
};

/// Where a mesh is at both ends of a step.
struct MovingVertices {
  std::span<const Vec3> start, end;
};

/// Where all vertices that a triangle has are during a step, and half of how far a coordinate goes, at most.
struct StepExtent {
  Box3 box;
  double half_way = 0;
};

/// Bounds of the nodes of a patch tree, as floats relative to the middle of the step's box, in units near its size.
class DopTree {
 public:
  /// New positions, the same tree: one pass over vertices, one over nodes.
  void refit(const Topology& topology, const PatchTree& tree, const MovingVertices& at, double margin, bool swept,
             int threads);

  const core::LargeVector<Dop>& nodes() const { return dops_; }
  const VertexProjection& vertex(std::uint32_t v) const { return projections_[v]; }
  /// What projections may be off by, and half the margin that is to be kept: two things are apart if their projections
  /// are apart by twice this.
  float slack() const { return slack_; }
  /// How long one is.
  double unit() const { return unit_; }
  /// No coordinate of a vertex changes by more than this in the step.
  float longest_way() const { return longest_way_; }
  std::size_t bytes() const { return dops_.size() * sizeof(Dop) + projections_.size() * sizeof(VertexProjection); }

 private:
  void project(const Topology& topology, const MovingVertices& at, double margin, int threads);

  core::LargeVector<Dop> dops_;
  core::LargeVector<VertexProjection> projections_;
  std::vector<StepExtent> chunks_;
  float slack_ = 0, longest_way_ = 0;
  double unit_ = 1;
};

/// Boxes of the triangles over the whole step, for building: any will do, they are no bounds.
core::LargeVector<bvh::BoxF> sweep_boxes(const Topology& topology, const MovingVertices& at, int threads);

}  // namespace graze::query
