// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/core/method_counters.hpp>

#include "engine/deform/patches/cones.hpp"
#include "engine/deform/tree/dop_tree.hpp"

namespace graze::engine::deform {

/// A contour point in the plane at both ends of the step.
struct PlanePoint {
  double x[2], y[2];
};

/// One step of a contour: a boundary edge of the patch, in the direction of its triangle.
struct ContourEdge {
  PlanePoint from, to;
  std::uint32_t vertices[2];
  std::uint32_t step;                 ///< 3 t + k
  double lo[2][4], hi[2][4];          ///< along x, y, x + y and x - y at both ends
  double sweep_lo = 0, sweep_hi = 0;  ///< along the direction of the sweep, over the step
};

/// Which two steps of a contour may meet in projection, or none.
using MeetingSteps = std::array<std::uint32_t, 2>;

/// The continuous contour test (ICCD IV.C): do all boundary loops of a patch, projected along one direction, stay
/// simple and disjoint at all times, and is their winding number 0 or 1 around every point? Together with a narrow cone
/// this proves that no two points of the patch ever meet (docs/design.md 4; docs/methods/iccd.md has the argument).
/// "No" may only mean that there is no proof.
class ContourTest {
 public:
  struct Patch {
    const Topology& topology;
    const PatchTree& tree;
    const MovingVertices& at;
    const PatchNode& node;
    const Dop& bounds;
    const ContinuousCone& cone;
    float slack;  ///< error bound of the bounds
    double unit;  ///< length of one unit of the bounds
  };
  /// The projection that `prove` used. It is passed on to the patch's children, whose edges are mostly the same ("fewer
  /// projections").
  struct Projection {
    std::uint32_t number = 0;
  };

  /// Discards all projections: the vertices have moved.
  void begin_step(std::size_t vertices);
  /// `projection`: in, the parent's; out, the one used. `meeting`: in, two steps that failed the parent's test; out,
  /// those that failed this one, or `no_steps`. Without `accelerate` neither these nor bounds are used.
  bool prove(const Patch& patch, bool accelerate, Projection& projection, MeetingSteps& meeting, AllCounters& counters);

  static constexpr MeetingSteps no_steps{Topology::none, Topology::none};
  std::size_t bytes() const;

 private:
  bool keeps_projection(const ContinuousCone& cone) const;
  void choose_projection(const Patch& patch);
  double estimate_sweep(const Patch& patch);
  void choose_sweep();
  bool collect(const Patch& patch, bool accelerate, AllCounters& counters);
  PlanePoint project(const MovingVertices& at, std::uint32_t v) const;
  bool stay_apart(const ContourEdge& a, const ContourEdge& b, bool accelerate, AllCounters& counters) const;
  bool all_stay_apart(bool accelerate, MeetingSteps& meeting, AllCounters& counters);
  bool winds_once(const Patch& patch);

  Vec3 axis_, e1_, e2_, origin_;
  double size_ = 0;   // upper bound on the distance of a point from the origin
  double off_ = 0;    // error bound of a plane coordinate
  double error_ = 0;  // error bound of a product of two differences of plane coordinates
  std::uint32_t number_ = 0, test_ = 0;
  std::vector<PlanePoint> points_;
  std::vector<std::uint32_t> projected_;  // by vertex: the projection that points_ holds
  std::vector<std::uint32_t> seen_;       // the last test that visited a vertex
  std::vector<ContourEdge> edges_;
  std::vector<std::uint32_t> order_, open_;
  std::vector<std::uint32_t> edge_from_;  // by vertex: the edge of this test that starts there
};

}  // namespace graze::engine::deform
