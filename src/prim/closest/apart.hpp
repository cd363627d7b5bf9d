// SPDX-License-Identifier: MIT
#pragma once

#include "prim/closest/closest.hpp"

namespace graze::prim {

/// The same points as `closest_triangle_triangle` up to rounding, for triangles that are mostly apart: returns the
/// first pair of features for which a plane proves that no other pair is closer, and calls that function if there is
/// none.
ClosestPair closest_apart(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

}  // namespace graze::prim
