// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

namespace graze::prim {

/// All points centre + s0 axis[0] + s1 axis[1] + s2 axis[2] with |sk| <= half[k]. The test is sharp if the axes are
/// nearly orthonormal; it is correct for any vectors, also for flat and parallel boxes.
struct BoxFrame {
  Vec3 centre;
  Vec3 axis[3];
  Vec3 half;
};

/// An axis along which the two boxes are certainly apart, if one was found.
struct BoxSeparation {
  static constexpr int none = -1;

  int axis = none;  ///< 0..2 a face of A, 3..5 a face of B, 6 + 3 i + j the cross product of edges i of A and j of B
  Vec3 direction;   ///< points from A to B; not a unit vector
  double gap = 0;   ///< a lower bound of the gap along `direction`, times its length

  bool apart() const { return axis != none; }
};

/// Separating-axis test over up to 15 directions, `first` (for example the one that separated last time) before the
/// others. "Apart" is a certificate: the inequality is checked with its rounding error bound for exactly the direction
/// returned. "Not apart" may be due to rounding. Boxes that share a point are never reported apart.
BoxSeparation separate_boxes(const BoxFrame& a, const BoxFrame& b, int first = BoxSeparation::none);

}  // namespace graze::prim
