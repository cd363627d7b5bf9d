// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/box3.hpp>

#include "core/large_memory.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::deform {

/// The nine directions of an 18-DOP: the axes, and the sums and differences of two of them.
constexpr int dop_directions = 9;

/// Bounds along the nine directions at both ends of a step. All motion between is linear, so the linearly interpolated
/// bounds are valid in between (docs/design.md 4). Two of these that are separated along one direction, on the same
/// side, at both ends, are separated at all times.
struct Dop {
  float lo[2][8], hi[2][8];  ///< by end and direction, the first eight
  /// The ninth direction: lo at both ends, then minus hi at both ends, so that every gap is one sum.
  float ninth[4];
};

/// A vertex projected on the nine directions at both ends.
struct VertexProjection {
  float at[2][8];
  float ninth[2];
};

/// A lower bound as rounded to single precision, lowered. A bound and what it is compared with are both off by up to
/// 2^-24 of themselves. If one of them is lowered or raised by 2^-22 of itself, a gap between them is a gap of the
/// exact numbers, too: where neither is twice as large as the other, this is more than both errors; elsewhere the gap
/// is much larger than both. So of two objects that are compared at least one must have bounds that are widened: all
/// have, but single vertices.
inline float widened(float lower_bound) { return lower_bound - 0x1p-22f * std::fabs(lower_bound); }

/// Vertex positions at both ends of a step.
struct MovingVertices {
  std::span<const Vec3> start, end;
};

/// The boxes of all vertices with triangles at both ends of a step, and half of the largest change of a coordinate.
struct StepExtent {
  Box3 start, end;
  double half_displacement = 0;
};

/// Origin and unit of a step's single-precision coordinates: where most vertices are, and a power of two larger than
/// any coordinate, so that nothing overflows or underflows, whatever the size of the scene. They depend on the start
/// alone unless the step goes far beyond its box, so that several steps from one start have the same bounds at the
/// start.
struct StepFrame {
  Vec3 centre;
  double half = 0;  ///< upper bound on the distance of a coordinate from the centre, at both ends
  double unit = 1;

  Vec3 operator()(const Vec3& x) const { return (x - centre) * (1 / unit); }
};

/// Bounds of the nodes of a patch tree, as floats in the step's frame.
class DopTree {
 public:
  /// New positions, same tree: one pass over the vertices, one over the nodes. `same_start`: the start is that of the
  /// last refit, with the same tree; its bounds are kept where the frame allows it.
  void refit(const Topology& topology, const PatchTree& tree, const MovingVertices& at, double margin, bool swept,
             int threads, bool same_start = false);

  const core::LargeVector<Dop>& nodes() const { return dops_; }
  const VertexProjection& vertex(std::uint32_t v) const { return projections_[v]; }
  /// Half the margin, and what rounding in double precision needs: two objects are separated if their bounds, widened
  /// as above, are separated by twice this.
  float slack() const { return slack_; }
  /// Length of one unit of the bounds.
  double unit() const { return unit_; }
  /// Of the last refit.
  StepFrame frame() const { return {centre_, 0, unit_}; }
  /// No coordinate of a vertex changes by more than this in the step.
  float longest_displacement() const { return longest_displacement_; }
  std::size_t bytes() const { return dops_.size() * sizeof(Dop) + projections_.size() * sizeof(VertexProjection); }

 private:
  /// Returns the first end of the step whose projections are new.
  int project(const Topology& topology, const MovingVertices& at, double margin, int threads, bool same_start);

  core::LargeVector<Dop> dops_;
  core::LargeVector<VertexProjection> projections_;
  std::vector<StepExtent> chunks_;
  float slack_ = 0, longest_displacement_ = 0;
  Vec3 centre_;
  double unit_ = 1;
  bool swept_ = false;  ///< the bounds of nodes at the start are those of the whole step
};

/// Boxes of the triangles over the whole step, for building the tree. They need not be conservative.
class TriangleBoxes {
 public:
  TriangleBoxes(const Topology& topology, const MovingVertices& at, const StepFrame& frame)
      : topology_(topology), at_(at), frame_(frame) {}
  bvh::BoxF operator()(std::uint32_t t) const;

 private:
  const Topology& topology_;
  MovingVertices at_;
  StepFrame frame_;
};
core::LargeVector<bvh::BoxF> sweep_boxes(const Topology& topology, const MovingVertices& at, int threads);

}  // namespace graze::engine::deform
