// SPDX-License-Identifier: MIT
#pragma once

#include "math/relative_placement.hpp"
#include "prim/convex/points.hpp"
#include "prim/convex/simplex.hpp"

namespace graze::prim {

/// The result of the exact search.
struct ExactConvexAnswer {
  bool contact = false;
  double distance = 0;    ///< rounded once; 0 in contact
  ConvexSimplex simplex;  ///< ids and weights (rounded) of the nearest points; `w` is not set
  Vec3 direction;         ///< from A to B in A's frame, rounded, largest component 1; zero in contact
  unsigned iterations = 0, support_calls = 0;
};

/// The same search as ConvexSearch in exact arithmetic, for any finite input. Each step strictly lowers the distance of
/// a simplex, and there are finitely many simplices, so it terminates. `start` is the final simplex of the search in
/// double precision; any simplex is valid.
ExactConvexAnswer exact_convex_distance(const ConvexPoints& a, const ConvexPoints& b,
                                        const math::RelativePlacement& placement, const ConvexSimplex& start);

}  // namespace graze::prim
