// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/manifold/facets.hpp"

namespace graze::engine::manifold {

/// A place where one surface is over another, in the pair's frame.
struct PatchPoint {
  Vec3 a, b;
  double depth = 0;  ///< along the patch's normal; negative: apart
  FeatureRef feature_a, feature_b;
};

/// A connected part of the overlap, or of the nearness, of two bodies.
struct Patch {
  Vec3 normal;                     ///< unit, from A to B
  std::vector<PatchPoint> points;  ///< all corners of the area, or at most 4 after `choose_points`
  /// Those of meshes that are over each other here; sorted.
  std::vector<std::uint32_t> triangles_a, triangles_b;
};

/// The patches along a direction: where facets of A that face n are over facets of B that face -n, and the depth there
/// is between -margin and `deepest`.
///
/// Reason that no deeper place is missed: between two facets the depth is linear, so it is greatest at a corner of the
/// polygon in which their projections along n meet, and these corners are: corners of one over the other facet, and
/// crossings of edges.
std::vector<Patch> patches_along(const PlacedPair& pair, const Vec3& n, double deepest);

/// Keeps at most 4 points: the deepest, and those that span the largest area with it. Between points that are equally
/// good (up to a millionth of the patch's size) the features decide, so that rounding does not. Sorts them by their
/// features.
void choose_points(Patch& patch);

/// The feature of the body that is at this point of its surface, seen from direction n.
FeatureRef feature_at(const PlacedBody& body, const Vec3& n, const Vec3& point);

}  // namespace graze::engine::manifold
