// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/ask/ray.hpp>

#include "math/dyadic.hpp"
#include "math/placed_points.hpp"

namespace graze::engine::ray {

/// In all of these functions, points 0 and 1 are the ends of a segment, and 2, 3, 4 the corners of a triangle that it
/// is known to meet. The fraction is the least s for which from + s (to - from) lies in the triangle.

/// The same points in `PlacedPoints`' order, exactly, all scaled by the same positive number.
using ExactPoints = std::array<math::DyadicVec3, 5>;

/// num / den in [0, 1]; den > 0. Placement scales both equally, so this is also the fraction in the world.
struct ExactFraction {
  math::Dyadic num, den;
};

/// The sign of a - b.
int compare(const ExactFraction& a, const ExactFraction& b);

/// Valid for every such pair, including segments in the triangle's plane and degenerate segments or triangles.
ExactFraction exact_fraction(math::PlacedPoints& p, const ExactPoints& x);

/// lo <= the fraction <= hi. Narrow where double precision can determine the distances to the plane, otherwise [0, 1].
struct FractionBounds {
  double lo = 0, hi = 1;
};
FractionBounds fraction_bounds(const math::PlacedPoints& p);

/// The fraction of a hit that cast_ray returned for this query; its `fraction` is the double nearest to it.
ExactFraction exact_fraction(const RayHit& hit, const Body& body, const Pose& pose, const Vec3& from, const Vec3& to);

}  // namespace graze::engine::ray
