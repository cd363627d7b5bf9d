// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include <graze/query/elementary.hpp>

namespace graze::query {

/// The points of the Minkowski difference of two features, which contain the origin when they touch: 3 of a vertex and
/// a face, 4 of two edges (a0 - b0, a0 - b1, a1 - b0, a1 - b1), 2 of a vertex and an edge, 1 of two vertices; at t = 0,
/// and how far they move until t = 1.
struct MovingDifference {
  explicit MovingDifference(const ElementaryQuery& q);

  int n;
  std::array<Vec3, 4> at, way;
  double size;      ///< the longest edge or motion, whichever is larger
  double largest;   ///< no point is further from the origin at any time
  double rounding;  ///< see docs/methods/elementary.md

  Vec3 place(std::size_t i, double t) const { return at[i] + way[i] * t; }
};

/// The point of a difference that is closest to the origin.
struct ClosestDifference {
  Vec3 point;
  Vec3 direction;  ///< of any length; separates the difference from the origin, if anything does: a face's normal, or
                   ///< what is at right angles to an edge, exact to a few roundings even where the point is near
  std::array<double, 4> weights;    ///< of the query's points
  std::array<int, 2> edge{-1, -1};  ///< inside the edge between these points of the difference; -1: inside none
};
ClosestDifference closest_difference(ElementaryKind kind, const MovingDifference& d, double t);
/// The same of points that stand where they are, in the order of `MovingDifference`.
ClosestDifference closest_difference(ElementaryKind kind, const std::array<Vec3, 4>& p);

/// Which two of a query's points each point of the difference is made of; returns how many there are.
int difference_points(ElementaryKind kind, std::array<std::array<std::size_t, 2>, 4>& pairs);

/// For where rounding spoils the direction of the closest point: the unit vector with the largest gap among it and the
/// axes of all vertices, edges and faces of the difference. Zero if there is none.
Vec3 best_direction(std::span<const Vec3> p, const Vec3& first);

}  // namespace graze::query
