// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/query/elementary.hpp>

namespace graze::query {

/// The closest points of the two features at one time, in doubles, for every finite query. The weights name points of
/// the features, so the gap is not below the distance but for rounding; it may be above it for needles. A hint, not a
/// proof.
struct ClosestNow {
  Vec3 direction;                 ///< from the second feature to the first, of any length; 0 if they meet
  double gap = 0;                 ///< their distance
  std::array<double, 4> weights;  ///< of the four points; of each feature they add up to 1
};
ClosestNow closest_now(const ElementaryQuery& query, double t);

/// The power of two that brings all coordinate differences of the query below 1 and the largest coordinate difference
/// to at least 1/4 (as far as it is a double).
double unit_scale(const ElementaryQuery& query);

/// The query at that scale. Places may be so far out that they overflow then, though all differences are below 1: along
/// such an axis it is moved, to where its first point starts. That rounds nothing, as all points are within half of
/// their distance from 0 there (Sterbenz).
ElementaryQuery at_scale(const ElementaryQuery& query, double scale);

}  // namespace graze::query
