// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

namespace graze::bv {

/// The convex hull of points, by which of them span it. Its corners are input points, not rounded copies, and all signs
/// are exact: every input point lies in the convex hull of `corners` in real numbers. So nothing has to be inflated.
struct ConvexHull {
  int dimension = 0;                                ///< 0: one point, 1: a segment, 2: a flat polygon, 3: a body
  std::vector<std::uint32_t> corners;               ///< indices of input points, rising
  std::vector<std::array<std::uint32_t, 2>> edges;  ///< by positions in `corners`; facets are divided into triangles
};

/// Quickhull with exact signs; flat and degenerate sets are what they are. A point inside a facet or an edge may be
/// among the corners where doubles cannot tell which point is the furthest. At least one point, all finite.
ConvexHull convex_hull(std::span<const Vec3> points);

}  // namespace graze::bv
