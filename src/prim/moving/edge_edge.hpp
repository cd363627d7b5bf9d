// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "prim/moving/direction.hpp"

namespace graze::prim {

/// A moving edge in the frame of the other edge; `turn` bounds the remainder of the difference of its ends: the frame's
/// translation is the same for both, so only rotation counts.
struct MovingEdge {
  MovingPoint p, q;
  double turn = 0;
};

/// The edge/edge test of CONTACT 4.2 over a time span, in the frame of the edge (a, b). False only if the two closed
/// edges certainly have no point in common at any time of the span. The proof is one of these: the four ends are not
/// coplanar (eq. 9); or, in the whole part of the span where they may be, a direction in the edges' common plane
/// separates them (the inside conditions); or the direction of their closest points does (edges parallel, or collinear,
/// or points).
bool edges_may_meet(const Vec3& a, const Vec3& b, const MovingEdge& moving);

}  // namespace graze::prim
