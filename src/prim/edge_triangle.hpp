// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "math/placed_points.hpp"

namespace graze::prim {

enum class EdgeContact : unsigned char { none, touching, crossing };

/// Does a closed edge meet a closed triangle, and does it cross it, that is, with ends strictly on opposite sides of
/// the plane and meeting the interior (Zachmann 3.2, Figure 3.4)? `edge` and `triangle` are indices of points in the
/// set. Exact; either may be degenerate. Bit k of `inner`: the triangle's edge k is a diagonal of its planar polygon,
/// so its interior belongs to the polygon's interior.
EdgeContact edge_triangle(math::PlacedPoints& p, const std::array<int, 2>& edge, const std::array<int, 3>& triangle,
                          unsigned inner = 0);

/// Do two closed segments share a point? Exact; either may degenerate to a point.
bool segments_meet(math::PlacedPoints& p, const std::array<int, 2>& e, const std::array<int, 2>& f);

}  // namespace graze::prim
