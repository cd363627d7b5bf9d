// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "prim/closest.hpp"

namespace graze::prim {

/// Closest points of two triangles that do not cross, from whole numbers, each coordinate rounded once, however thin
/// the triangles are or near each other. Only what is below 2^-96 of the largest coordinate is dropped first. Along
/// `way`, whose components are rounded once too, they are apart by |way| less 8 eps of their extent.
/// For what `closest_triangle_triangle` finds badly: this costs a hundred times as much.
struct SharpPair {
  Vec3 a, b;
  Vec3 way;  ///< from a to b; zero if they touch
  Part part_a, part_b;
};
SharpPair sharp_closest(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace graze::prim
