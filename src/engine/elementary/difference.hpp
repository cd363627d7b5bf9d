// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include <graze/ask/elementary.hpp>

namespace graze::engine::elementary {

/// The points of the Minkowski difference of two features, whose convex hull contains the origin when they touch: 3 for
/// a vertex and a face, 4 for two edges (a0 - b0, a0 - b1, a1 - b0, a1 - b1), 2 for a vertex and an edge, 1 for two
/// vertices; at t = 0, and their displacements until t = 1.
struct MovingDifference {
  explicit MovingDifference(const ElementaryQuery& q);

  int n;
  std::array<Vec3, 4> at, displacement;
  double size;      ///< the longest edge or motion, whichever is larger
  double largest;   ///< bounds every point's distance from the origin at all times
  double rounding;  ///< see docs/methods/elementary.md

  Vec3 place(std::size_t i, double t) const { return at[i] + displacement[i] * t; }
};

/// The point of a difference that is closest to the origin.
struct ClosestDifference {
  Vec3 point;
  Vec3 direction;  ///< of any length; separates the difference from the origin, if anything does: a face's normal, or
                   ///< a perpendicular of an edge, exact to a few roundings even where the point is near
  std::array<double, 4> weights;    ///< of the query's points
  std::array<int, 2> edge{-1, -1};  ///< the edge that has the point inside, by points of the difference; -1: none
};
ClosestDifference closest_difference(ElementaryKind kind, const MovingDifference& d, double t);
/// The same for points at rest, in the order of `MovingDifference`.
ClosestDifference closest_difference(ElementaryKind kind, const std::array<Vec3, 4>& p);

/// The two query points whose difference each point of the difference is; returns the number of points.
int difference_points(ElementaryKind kind, std::array<std::array<std::size_t, 2>, 4>& pairs);

/// For use where rounding spoils the direction of the closest point: the unit vector with the largest gap among it and
/// the axes of all vertices, edges and faces of the difference. Zero if there is none.
Vec3 best_direction(std::span<const Vec3> p, const Vec3& first);

}  // namespace graze::engine::elementary
