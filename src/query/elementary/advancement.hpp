// SPDX-License-Identifier: MIT
#pragma once

#include "query/elementary/method.hpp"

namespace graze::query {

/// Directed advancement (DESIGN 4): docs/methods/elementary.md.
struct ElementaryAdvancement {
  static constexpr ElementaryTraits traits{
      .name = "advancement", .summary = "steps along separating directions, certified; the default", .certified = true};
  static void run(const Elementary& e, ElementaryResult& result);
};

/// The points of the Minkowski difference of two features, which contain the origin when they touch: 3 of a vertex and
/// a face, 4 of two edges, 2 of a vertex and an edge, 1 of two vertices; at t = 0, and how far they move until t = 1.
struct MovingDifference {
  explicit MovingDifference(const ElementaryQuery& q);

  int n;
  std::array<Vec3, 4> at, way;
  double size;      ///< the longest edge or motion, whichever is larger
  double rounding;  ///< see docs/methods/elementary.md

  Vec3 place(int i, double t) const { return at[static_cast<std::size_t>(i)] + way[static_cast<std::size_t>(i)] * t; }
};

/// The point of a difference at t that is closest to the origin, and the weights of the query's points in it.
struct ClosestDifference {
  Vec3 point;
  std::array<double, 4> weights;
};
ClosestDifference closest_difference(const ElementaryQuery& q, const MovingDifference& d, double t);

}  // namespace graze::query
