// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

namespace graze::prim {

/// All points centre + s0 axis[0] + s1 axis[1] + s2 axis[2] with |sk| <= half[k]. The axes should be about orthonormal
/// for the test to be sharp; it is right for any vectors, also for flat boxes and parallel ones.
struct BoxFrame {
  Vec3 centre;
  Vec3 axis[3];
  Vec3 half;
};

/// Is there an axis along which the two boxes are certainly apart?
struct BoxSeparation {
  static constexpr int none = -1;

  int axis = none;  ///< 0..2 a face of A, 3..5 a face of B, 6 + 3 i + j an edge i of A across an edge j of B
  Vec3 direction;   ///< points from A to B; not of length one
  double gap = 0;   ///< at least this far apart along `direction`, times its length

  bool apart() const { return axis != none; }
};

/// Separating-axis test over up to 15 directions, `first` (say, the one that separated last time) before the others.
/// "Apart" is a certificate: the inequality is checked with its rounding bound for the very direction returned. "Not
/// apart" may be due to rounding. Boxes that share a point are never apart.
BoxSeparation separate_boxes(const BoxFrame& a, const BoxFrame& b, int first = BoxSeparation::none);

}  // namespace graze::prim
