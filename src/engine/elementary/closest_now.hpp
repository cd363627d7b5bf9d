// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/ask/elementary.hpp>

namespace graze::engine::elementary {

/// The closest points of the two features at one time, in double precision, for every finite query. The weights denote
/// points of the features, so the gap is not below the distance except for rounding; it may be above it for needles. A
/// hint, not a proof.
struct ClosestNow {
  Vec3 direction;                 ///< from the second feature to the first, of any length; 0 if they meet
  double gap = 0;                 ///< their distance
  std::array<double, 4> weights;  ///< of the four points; of each feature they add up to 1
};
ClosestNow closest_now(const ElementaryQuery& query, double t);

/// The power of two that brings all coordinate differences of the query below 1 and the largest coordinate difference
/// to at least 1/4 (as far as it is a double).
double unit_scale(const ElementaryQuery& query);

/// The query at that scale. Positions may be so far out that they overflow when scaled, though all differences are
/// below 1: along such an axis the query is translated so that its first point starts at 0. That rounds nothing, as the
/// differences of all points there are at most half of their distance from 0 (Sterbenz).
ElementaryQuery at_scale(const ElementaryQuery& query, double scale);

}  // namespace graze::engine::elementary
