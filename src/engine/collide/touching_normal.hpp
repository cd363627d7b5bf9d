// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

#include "engine/collide/grid.hpp"
#include "engine/collide/method.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::engine::collide {

/// A direction from A to B where two triangles touch, in A's frame, not of unit length; zero if there is none.
///
/// One pair of triangles does not determine it: the top of a box and the side of a box that stands on it also touch. So
/// all triangles around the contact point are examined, and the result is the normal of a plane of one of them (or of
/// two edges) that has all of A's triangles on one side and all of B's on the other, exactly. Neighbours are found by
/// shared vertices; in a triangle soup no triangle has neighbours. Coplanar sheets have a normal only if their
/// orientations face each other.
///
/// `grid`: both bodies on a common grid, or null.
Vec3 touching_normal(const CollideQuery& query, const CommonGrid* grid, std::uint32_t ta, std::uint32_t tb,
                     const prim::TriangleMeetings& meetings, Counters& counters);

}  // namespace graze::engine::collide
