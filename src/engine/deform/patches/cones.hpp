// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/deform/tree/dop_tree.hpp"

namespace graze::engine::deform {

/// A continuous normal cone (ICCD IV.B) as a ball: every unit normal that a triangle of the node has at any time of the
/// step lies in a cone spanned by unit vectors (the directions of Bernstein control normals), all of them within
/// `radius` of `centre`. Balls are merged without angles, hence without libm. What is needed of the cone follows from n
/// . centre = (1 + |centre|^2 - |n - centre|^2) / 2 for a unit vector n.
///
/// Range: centres are at most 2 in a coordinate and radii at most 4 in single precision, so nothing overflows, and the
/// slacks of 1e-6 and more are far larger than anything that underflows. Before that, in double precision: a normal
/// outside 1e-140 to 1e140, or one whose edges' squares are below 1e-280, infinite or NaN, gives the cone of all
/// directions.
struct ContinuousCone {
  float centre[3] = {0, 0, 0};
  float radius = 4;  ///< 4: all directions

  /// Do all control normals have a positive dot product with the centre, by much more than the rounding error?
  bool is_narrow() const {
    const float c2 = centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2];
    return radius < 2 && 1 + c2 - radius * radius > 1e-3f;
  }
};

/// A cone that contains both (Algorithm 3).
ContinuousCone joined(const ContinuousCone& a, const ContinuousCone& b);

/// The cone of one moving triangle: n(t) = n0 B0(t) + (n0 + n1 - d)/2 B1(t) + n1 B2(t) (IV.B). A control normal that is
/// zero, or too small for its direction to be known, gives a cone of all directions.
ContinuousCone cone_of(const Vec3 (&start)[3], const Vec3 (&end)[3]);

/// Computes the cone of every node, leaves first.
void refit_cones(const Topology& topology, const PatchTree& tree, const MovingVertices& at, int threads,
                 std::vector<ContinuousCone>& cones);

}  // namespace graze::engine::deform
