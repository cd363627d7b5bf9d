// SPDX-License-Identifier: MIT
#pragma once

#include "prim/closest.hpp"

namespace graze::prim {

/// The points of `closest_triangle_triangle` up to rounding, for triangles that are mostly apart: ends with the first
/// pair of features between which a plane shows that no others are closer, and asks the other if there is none.
ClosestPair closest_apart(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace graze::prim
