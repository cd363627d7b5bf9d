// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::engine::contains {

/// Do the interiors of two solid bodies share a point? Exact. For bodies whose surfaces touch and cross nowhere (where
/// they cross, the interiors overlap). Interiors are by parity, as everywhere (`point_in_body`).
///
/// Reason. Let U be the open set that both interiors share, and not empty.
/// 1. If a connected component of one surface does not meet the other surface, it lies inside the other body or
///    outside. A vertex of each component tells (U contains points near it if it is inside).
/// 2. Otherwise a corner v of the closure of U is on both surfaces, or it is a vertex of one surface inside the other
///    body. In the second case the part of that surface inside the other body ends somewhere, on the other surface, and
///    its outline has a corner there. In both cases there is a point p on both surfaces that is a vertex of A, a vertex
///    of B, or the only common point of an edge of A and an edge of B (an edge that passes through a face would cross),
///    and U contains points as near to p as one likes.
/// 3. Near p, the planes of all triangles through p divide space into cones. Whether p + e d is inside a body, for all
///    sufficiently small e > 0, depends on the cone only that contains d. So one direction of each cone is tested.
///    The cones that matter have an edge that is an edge of A, an edge of B, or common to a plane of A and one of B,
///    because U near p is bounded by such (`Cones::any`).
///    If a plane through p has the corners of A's triangles at p on one side and those of B's on the other, no cone is
///    needed: each body's surface near p stays on its side of the plane (`between`).
/// 4. p + e d is inside a body if the ray from p along d meets an odd number of its triangles that do not contain p:
///    those that do contain p have planes that the ray leaves at once.
///
/// Two things are tried before all touching triangles are listed: whether the plane of a triangle of `touching`, a pair
/// that touches (if one is known), is between the bodies; and whether one of a few points is inside both.
bool interiors_overlap(const collide::CollideQuery& query, const TrianglePair* touching);

}  // namespace graze::engine::contains
