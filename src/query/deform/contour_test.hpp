// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/core/counters.hpp>

#include "query/deform/cones.hpp"
#include "query/deform/dop_tree.hpp"

namespace graze::query {

/// A point of a contour in the plane at both ends of the step.
struct PlanePoint {
  double x[2], y[2];
};

/// One step of a contour: an edge of the patch's boundary in the direction of its triangle.
struct ContourEdge {
  PlanePoint from, to;
  std::uint32_t vertices[2];
  std::uint32_t step;         ///< 3 t + k
  double lo[2][4], hi[2][4];  ///< along x, y, x + y and x - y at both ends
  double sweep_lo, sweep_hi;  ///< along x, over the step
};

/// Which two steps of a contour may meet in projection, or none.
using MeetingSteps = std::array<std::uint32_t, 2>;

/// The continuous contour test (ICCD IV.C): do all boundary loops of a patch, projected along one direction, stay
/// simple and apart from each other at all times, and do they wind 0 or 1 times around every point? Together with a
/// narrow cone this proves that no two points of the patch ever meet (DESIGN 4; docs/methods/iccd.md has the argument).
/// "No" may only mean that it could not be proved.
class ContourTest {
 public:
  struct Patch {
    const Topology& topology;
    const PatchTree& tree;
    const MovingVertices& at;
    const PatchNode& node;
    const Dop& bounds;
    const ContinuousCone& cone;
    float slack;  ///< what the bounds may be off by
    double unit;  ///< how long one of the bounds' units is
  };
  /// The projection that `prove` used, to be handed to the patch's children, whose edges are mostly the same ("fewer
  /// projections").
  struct Projection {
    std::uint32_t number = 0;
  };

  /// Forgets all projections: the vertices have moved.
  void begin_step(std::size_t vertices);
  /// `projection`: the parent's in, the one used out. `meeting`: two steps that failed the parent's test in; those that
  /// failed this one's out, or `no_steps`. Without `accelerate` none of this, nor bounds, is used.
  bool prove(const Patch& patch, bool accelerate, Projection& projection, MeetingSteps& meeting, Counters& counters);

  static constexpr MeetingSteps no_steps{Topology::none, Topology::none};
  std::size_t bytes() const;

 private:
  bool keeps_projection(const ContinuousCone& cone) const;
  void choose_projection(const Patch& patch);
  bool collect(const Patch& patch, bool accelerate, Counters& counters);
  PlanePoint project(const MovingVertices& at, std::uint32_t v) const;
  bool stay_apart(const ContourEdge& a, const ContourEdge& b, bool accelerate, Counters& counters) const;
  bool all_stay_apart(bool accelerate, MeetingSteps& meeting, Counters& counters);
  bool winds_once(const Patch& patch);

  Vec3 axis_, e1_, e2_, origin_;
  double size_ = 0;   // what a point is away from the origin, at most
  double off_ = 0;    // what a plane coordinate is off by, at most
  double error_ = 0;  // what a product of two differences of them is off by, at most
  std::uint32_t number_ = 0, test_ = 0;
  std::vector<PlanePoint> points_;
  std::vector<std::uint32_t> projected_;  // the projection that points_ holds
  std::vector<std::uint32_t> seen_;       // the test in which a vertex was last met
  std::vector<ContourEdge> edges_;
  std::vector<std::uint32_t> order_, open_;
  std::vector<std::uint32_t> edge_from_;  // by vertex: the edge of this test that starts there
};

}  // namespace graze::query
