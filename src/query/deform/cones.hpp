// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "query/deform/dop_tree.hpp"

namespace graze::query {

/// A continuous normal cone (ICCD IV.B) as a ball: every unit normal that a triangle of the node has at any time of the
/// step lies in a cone spanned by unit vectors (the directions of Bernstein control normals), all of them within
/// `radius` of `centre`. Balls join without angles, hence without libm; what matters of the cone follows:
/// n . centre = (1 + |centre|^2 - |n - centre|^2) / 2 for a unit vector n.
struct ContinuousCone {
  float centre[3] = {0, 0, 0};
  float radius = 4;  ///< 4: any direction at all

  /// Do all control normals have a positive product with the centre, by far more than rounding?
  bool is_narrow() const {
    const float c2 = centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2];
    return radius < 2 && 1 + c2 - radius * radius > 1e-3f;
  }
};

/// A cone that holds both (Algorithm 3).
ContinuousCone joined(const ContinuousCone& a, const ContinuousCone& b);

/// Of one moving triangle: n(t) = n0 B0(t) + (n0 + n1 - d)/2 B1(t) + n1 B2(t) (IV.B). A control normal that is zero, or
/// too small to know its direction, gives a cone of all directions.
ContinuousCone cone_of(const Vec3 (&start)[3], const Vec3 (&end)[3]);

/// Of every node, leaves first.
void refit_cones(const Topology& topology, const PatchTree& tree, const MovingVertices& at, int threads,
                 std::vector<ContinuousCone>& cones);

}  // namespace graze::query
