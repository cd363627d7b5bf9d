// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "prim/moving/direction.hpp"

namespace graze::prim {

/// Directions that may separate x from a face: from its closest point to x; and the same, made perpendicular to the
/// edge that holds the closest point (`across`), or to the longest edge, for a face that is nearly a segment.
std::array<Vec3, 2> directions_to_face(const Vec3& x, const std::array<Vec3, 3>& face);

/// The vertex/face test of CONTACT 4.2 over a time span, in the face's frame: there the face is at rest, and both the
/// coplanarity (eq. 10) and the three inside conditions are linear in s up to the remainder of the point's form.
/// Degenerate faces are treated as segments or points.
class MovingVertexFace {
 public:
  explicit MovingVertexFace(const std::array<Vec3, 3>& face);

  /// False only if the point is certainly not in the closed face at any time of the span: in every part of it, the
  /// point is off the plane, or outside along an edge, or beyond some other direction. (The paper tests the inside
  /// conditions at one instant of the interval that it takes for the root; here they must fail for the whole interval
  /// in which the root may lie.)
  bool may_meet(const MovingPoint& x) const;

 private:
  std::array<Vec3, 3> face_;
  MovingDirection normal_;
  std::array<MovingDirection, 3> inward_;
};

}  // namespace graze::prim
