// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

namespace graze::bv {

/// The convex hull of a point set, given by indices of its extreme points. The corners are input points, not rounded
/// copies, and all signs are exact: in real arithmetic every input point lies in the convex hull of `corners`. So
/// nothing has to be inflated.
struct ConvexHull {
  int dimension = 0;                                ///< 0: one point, 1: a segment, 2: a flat polygon, 3: a body
  std::vector<std::uint32_t> corners;               ///< indices of input points, ascending
  std::vector<std::array<std::uint32_t, 2>> edges;  ///< by positions in `corners`; facets are triangulated
  /// By positions in `corners`, counter-clockwise seen from outside; of a flat polygon none, its corners are in `ring`.
  std::vector<std::array<std::uint32_t, 3>> facets;
  std::vector<std::uint32_t> ring;  ///< dimension 2 only: positions in `corners`, in order around the polygon
};

/// Quickhull with exact signs. Flat and degenerate sets are handled as such (see `dimension`). A point inside a facet
/// or an edge may be among the corners where double precision cannot tell which point is the furthest. Requires at
/// least one point, all finite.
ConvexHull convex_hull(std::span<const Vec3> points);

}  // namespace graze::bv
