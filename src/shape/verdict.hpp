// SPDX-License-Identifier: MIT
#pragma once

#include "shape/depth.hpp"
#include "shape/gap.hpp"

namespace graze::shape {

/// Whether two convex sets share a point: certainly not, certainly, or undecided within the rounding bound.
enum class Verdict { apart, within_rounding, overlap };

struct Judgement {
  Verdict verdict = Verdict::within_rounding;
  Gap gap;  ///< of the cores
};

/// Do all points within `radius` of A meet B? (Two rounded sets meet where their cores are at most the sum of their
/// radii apart.) Coordinates and radius of at most 1 in size. `start`: a guess of the direction from A to B.
///
/// Reasons. Apart: the cores' distance is at least lower - rounding, which exceeds the radius. Overlap: their distance
/// is at most upper + rounding, which is below the radius; or, for radii below the rounding bound, B - A contains a
/// ball around the origin that is larger than it: the tetrahedron of B - A that the search ended with does, or a larger
/// polytope (depth.cpp). A ball in the hull of rounded corners is in that of the exact ones but for `rounding`.
template <class A, class B>
Judgement judge(const A& a, const B& b, double radius, const Vec3& start) {
  const double near = radius - rounding;
  Judgement j{Verdict::within_rounding, find_gap(a, b, start, radius + rounding, near > 0 ? near : -1, 0)};
  if (j.gap.lower > radius + rounding) {
    j.verdict = Verdict::apart;
  } else if (j.gap.upper < near) {
    j.verdict = Verdict::overlap;
  } else if (j.gap.overlap && j.gap.simplex.inner_radius() > 2 * rounding) {
    j.verdict = Verdict::overlap;
  } else if (near <= 2 * rounding) {
    const Depth depth = find_depth(SupportPair(a, b), j.gap.simplex, 2 * rounding, rounding);
    if (depth.lower > rounding) j.verdict = Verdict::overlap;
  }
  return j;
}

}  // namespace graze::shape
