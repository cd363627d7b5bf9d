// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "prim/moving_direction.hpp"

namespace graze::prim {

/// An edge that moves, seen from the frame of the other; `turn` bounds the rest of the difference of its ends: the
/// frame's shift is the same for both, so only turning counts.
struct MovingEdge {
  MovingPoint p, q;
  double turn = 0;
};

/// The edge/edge test of CONTACT 4.2 over a span of time, in the frame of the edge (a, b). False only if the two closed
/// edges certainly have no point in common at any time of the span: the four ends are not coplanar (eq. 9), or, in all
/// of the part of the span where they may be, the edges' common plane has a direction that keeps them apart (the inside
/// conditions), or the direction of their closest points does (edges parallel, or in one line, or points).
bool edges_may_meet(const Vec3& a, const Vec3& b, const MovingEdge& moving);

}  // namespace graze::prim
