// SPDX-License-Identifier: MIT
#pragma once

#include "math/relative_placement.hpp"
#include "prim/convex_points.hpp"
#include "prim/convex_simplex.hpp"

namespace graze::prim {

/// What the exact search found.
struct ExactConvexAnswer {
  bool contact = false;
  double distance = 0;    ///< rounded once; 0 in contact
  ConvexSimplex simplex;  ///< ids and weights (rounded) of the nearest points; `w` is not set
  Vec3 direction;         ///< from A to B in A's frame, rounded, largest component 1; zero in contact
  unsigned iterations = 0, support_calls = 0;
};

/// The same search as ConvexSearch in exact arithmetic, for any finite input: each step strictly lowers the distance of
/// a simplex, and there are finitely many of these, so it ends. `start` is what the search in doubles ended with; any
/// simplex will do.
ExactConvexAnswer exact_convex_distance(const ConvexPoints& a, const ConvexPoints& b,
                                        const math::RelativePlacement& placement, const ConvexSimplex& start);

}  // namespace graze::prim
