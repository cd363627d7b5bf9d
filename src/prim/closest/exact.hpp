// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "prim/closest/closest.hpp"

namespace graze::prim {

/// Closest points of two triangles that do not cross, computed in integers, each coordinate rounded once, however thin
/// the triangles are or however close to each other. The only approximation: digits below 2^-96 of the largest
/// coordinate are dropped first. Along `offset`, whose components are also rounded once, the triangles are apart by
/// |offset| less 8 eps of their extent. For cases in which `closest_triangle_triangle` is inaccurate: this costs a
/// hundred times as much.
struct SharpPair {
  Vec3 a, b;
  Vec3 offset;  ///< vector from a to b; zero if they touch
  Part part_a, part_b;
};
SharpPair sharp_closest(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace graze::prim
