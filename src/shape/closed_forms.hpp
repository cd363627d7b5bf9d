// SPDX-License-Identifier: MIT
#pragma once

#include "shape/placed_core.hpp"

namespace graze::shape {

/// Where a point is relative to a solid that is centred at the origin, from a closed form.
struct PointGap {
  double gap = 0;  ///< the distance from the solid; inside it, minus that from its surface
  Vec3 normal;     ///< unit: from the solid towards the point, or out of it by the shortest way
  Vec3 foot;       ///< the nearest point of the surface
  Vec3 side;       ///< of a box: 1 or -1 for each face that contains the foot (outside), else 0
};

/// False: there is no closed form for this kind of core (ellipsoid, hull of points). All coordinates are at most 1 in
/// size; the gap is within 32 eps of that of the rounded numbers given: each form is a sum of at most three squares and
/// one square root, of differences that are rounded once; the cone's form adds a quotient.
bool point_gap(const Core& core, double scale, const Vec3& point, PointGap& out);

/// Bounds of the distance of two cores that are points, segments or, one of them, a solid with a point: see `Gap`.
struct CoreGap {
  double lower = 0, upper = 0;  ///< of the distance; negative: minus the depth of the overlap
  Vec3 normal;                  ///< unit, from A to B. Moved along it by `-lower`, B and A share no inner point
  Vec3 a, b;                    ///< the closest points; of an overlap, the deepest ones
  Vec3 side_a, side_b;          ///< as `PointGap::side`, of whichever is a box
};

/// The distance of two cores in A's frame, if there is a closed form: of a point and anything but the hull of points,
/// of two segments. All coordinates are at most 1 in size. The bounds are rounded as those of `Gap` are. Of two
/// segments, and of an ellipsoid: false also if rounding leaves the bounds further apart than 2^-44, as between nearly
/// parallel segments that nearly meet.
bool core_gap(const OwnCore& a, const PlacedCore& b, CoreGap& out);

/// The direction along which two boxes (or a box and a segment) are furthest apart, or overlap least: `gap` is how far.
/// Of boxes that overlap, -gap is the depth. Of others, the distance is at least `gap`. Rounded as `Gap` is.
struct BoxGap {
  double gap = 0;
  Vec3 normal;  ///< unit, from A to B
};
BoxGap box_gap(const Vec3& half_a, const Vec3& half_b, const std::array<double, 9>& r, const Vec3& t);

}  // namespace graze::shape
