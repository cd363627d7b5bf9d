// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <graze/core/method_counters.hpp>

namespace graze::prim {

struct Point2 {
  double x = 0, y = 0;
  friend constexpr bool operator==(const Point2&, const Point2&) = default;
};

enum class PointLocation : unsigned char { outside, on, inside };

/// Zachmann 3.2.2, "one-shot": casts a ray from q along +x and counts the edges that it meets; an odd number means
/// inside. Six pre-checks of coordinates decide almost every edge; the counters record which. Any polygon, also a
/// self-intersecting one (then by parity).
///
/// Deviations: points on the outline are reported separately; the pre-checks 5 and 6 compare rounded differences and so
/// must be strict, which makes them certain; the sign of the line parameter is an exact orient2d.
PointLocation point_in_polygon(std::span<const Point2> polygon, const Point2& q, AllCounters& counters);

/// The same where every given coordinate may be off by up to `error` from the exact one: nothing if that could change
/// the answer.
std::optional<PointLocation> point_in_polygon_filter(std::span<const Point2> polygon, const Point2& q, double error,
                                                     AllCounters& counters);

// For convex polygons of at least three corners, counter-clockwise, without repeated corners; flat corners are allowed
// (Zachmann 3.3). Both take O(log n) steps, except where q lies on a line or at a height for which the search cannot
// distinguish sides: then the test above answers.

/// Binary search for the wedge that contains q, then the side of one edge.
///
/// Deviation: the wedges have their apex at the first corner, not at the barycentre, which is not exactly
/// representable; so no angle is computed.
PointLocation point_in_convex_by_wedges(std::span<const Point2> polygon, const Point2& q, AllCounters& counters);

/// The heights of the corners around a convex polygon increase once and decrease once. A search for a corner above and
/// one below q, then two binary searches between them, give the only two edges that the line y = q.y meets; q is inside
/// if they are on different sides of it. Needs no preprocessing.
///
/// Deviation: the thesis's loop keeps the lower of two ends of a range and drops half of the range by heights alone,
/// which can drop the half that contains the minimum. Here the slope at the middle is also used (the tests contain such
/// a polygon).
PointLocation point_in_convex_by_heights(std::span<const Point2> polygon, const Point2& q, AllCounters& counters);

}  // namespace graze::prim
