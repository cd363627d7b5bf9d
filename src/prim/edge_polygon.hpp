// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include <graze/core/method_counters.hpp>

#include "math/relative_placement.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::prim {

/// Does a closed edge of one body meet a closed planar polygon of the other, and does it cross it, that is, with ends
/// strictly on opposite sides of the plane and meeting the interior (Zachmann 3.2, Figure 3.4)? The polygon may be
/// non-convex, and is interpreted by parity if it crosses itself; all of its corners must lie exactly in one plane.
/// Points are given in their bodies' frames.
///
/// Lazy as in 7.3.3: the signs of the ends decide whether the line parameter is in [0, 1], so most edges cost two
/// determinants and no division. Only then is the point computed, as an interval, and tested in the projection in which
/// the polygon is largest, with the pre-checks of 3.2.2.
///
/// Deviations: edges parallel to the plane are not skipped, since they can touch. Where the interval does not decide,
/// the same one-shot test is done in the view along the edge. There no point has to be computed: each sign is an
/// orient3d of given points.
EdgeContact edge_polygon(const math::RelativePlacement& placement, bool edge_of_b, const std::array<Vec3, 2>& edge,
                         std::span<const Vec3> polygon, AllCounters& counters);

}  // namespace graze::prim
