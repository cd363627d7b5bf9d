// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "prim/convex/frame.hpp"
#include "prim/convex/points.hpp"
#include "prim/convex/simplex.hpp"

namespace graze::prim {

/// Up to four corners of a body, ascending.
struct CornerSet {
  int size = 0;
  std::array<std::uint32_t, 4> id{};

  void add(std::uint32_t v);
};

/// The nearest points represented by a simplex, in A's stored frame.
struct ConvexNearest {
  Vec3 a, b;
  double distance = 0;
  Vec3 direction;        ///< from A to B, not a unit vector
  CornerSet of_a, of_b;  ///< the corners of which they are convex combinations
};

/// Computed from the corners in the order of their ids, not in the order in which a search found them: searches that
/// find the same features report the same bits, whatever their start.
ConvexNearest nearest_points(const ConvexPoints& a, const ConvexPoints& b, const ConvexFrame& frame,
                             const ConvexSimplex& simplex);

}  // namespace graze::prim
