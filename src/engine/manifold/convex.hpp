// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/status.hpp>

#include "engine/manifold/facets.hpp"

namespace graze::engine::manifold {

/// How two convex solids, or a half-space and anything, meet, in the pair's frame.
struct Meeting {
  Status status = Status::free;
  bool certain = true;
  Vec3 normal;       ///< unit, from A to B
  double depth = 0;  ///< along it; negative: apart by this, or by more than the margin
  Vec3 a, b;         ///< the points that are deepest in the other, or closest
};

/// Both are shapes (no half-spaces) or meshes that are convex and closed.
Meeting meet_convex(const PlacedPair& pair);
/// One is a half-space.
Meeting meet_half_space(const PlacedPair& pair);

}  // namespace graze::engine::manifold
