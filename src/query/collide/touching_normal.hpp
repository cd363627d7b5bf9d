// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

#include "prim/triangle_triangle.hpp"
#include "query/collide/grid.hpp"
#include "query/collide/method.hpp"

namespace graze::query {

/// A direction from A to B where two triangles touch, in A's frame, not of unit length; zero if there is none.
///
/// One pair of triangles does not know it: the top of a box and the side of a box that stands on it also touch. So all
/// triangles around the point of contact are looked at, and a plane of one of them (or of two edges) is taken that has
/// all of A's on one side and all of B's on the other, exactly. Neighbours are found by shared vertices; in a soup each
/// triangle stands for itself. Coplanar sheets have a normal only if their orientations face each other.
///
/// `grid`: both bodies on one grid, or null.
Vec3 touching_normal(const CollideQuery& query, const CommonGrid* grid, std::uint32_t ta, std::uint32_t tb,
                     const prim::TriangleMeetings& meetings, Counters& counters);

}  // namespace graze::query
