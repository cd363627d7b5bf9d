// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/manifold/facets.hpp"

namespace graze::engine::manifold {

/// A place where two surfaces are near, and nearer than around it.
struct NearPlace {
  double gap = 0;
  Vec3 normal;  ///< unit, from A to B
  Vec3 a, b;
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< 0 of a curved shape
};

/// All places where the surfaces are apart by at most the margin and by more than `above`, and from which neither
/// surface comes nearer to the other in any direction. (So a box above a floor is near the triangles below it, and not
/// near those beside them, although they are within the margin of the box's edge, too.) The nearest first.
std::vector<NearPlace> near_places(const PlacedPair& pair, double above);

}  // namespace graze::engine::manifold
