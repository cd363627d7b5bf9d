// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "prim/convex_frame.hpp"
#include "prim/convex_points.hpp"
#include "prim/convex_simplex.hpp"

namespace graze::prim {

/// Up to four corners of a body, rising.
struct CornerSet {
  int size = 0;
  std::array<std::uint32_t, 4> id{};

  void add(std::uint32_t v);
};

/// The nearest points that a simplex stands for, in A's stored frame.
struct ConvexNearest {
  Vec3 a, b;
  double distance = 0;
  Vec3 direction;        ///< from A to B, not of unit length
  CornerSet of_a, of_b;  ///< the corners whose convex combinations they are
};

/// Computed from the corners in the order of their ids, not in the order in which a search met them: who finds the same
/// features reports the same bits, whatever it started from.
ConvexNearest nearest_points(const ConvexPoints& a, const ConvexPoints& b, const ConvexFrame& frame,
                             const ConvexSimplex& simplex);

}  // namespace graze::prim
