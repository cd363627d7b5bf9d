// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <graze/core/counters.hpp>

namespace graze::prim {

struct Point2 {
  double x = 0, y = 0;
  friend constexpr bool operator==(const Point2&, const Point2&) = default;
};

enum class PointLocation : unsigned char { outside, on, inside };

/// Zachmann 3.2.2, "one-shot": a ray goes from q along +x, and the edges that it meets are counted; an odd number means
/// inside. Six pre-checks of coordinates settle almost every edge; counters say which. Any polygon, also one that
/// crosses itself (then by parity).
///
/// Deviations: points on the outline are told apart; the pre-checks 5 and 6 compare rounded differences and so must be
/// strict, which makes them certain; the sign of the line parameter is an exact orient2d.
PointLocation point_in_polygon(std::span<const Point2> polygon, const Point2& q, Counters& counters);

/// The same where every coordinate given may be off by up to `error` from the one meant: nothing if that could change
/// the answer.
std::optional<PointLocation> point_in_polygon_filter(std::span<const Point2> polygon, const Point2& q, double error,
                                                     Counters& counters);

// For convex polygons of at least three corners, counter-clockwise, no corner repeated; flat corners are allowed
// (Zachmann 3.3). Both take O(log n) steps, except where q lies on a line or at a height that the search cannot tell
// sides by: then the test above answers.

/// Binary search for the wedge that q is in, then its side of one edge.
///
/// Deviation: the wedges have their tip at the first corner, not at the barycentre, which is no exact point; so no
/// angle is computed.
PointLocation point_in_convex_by_wedges(std::span<const Point2> polygon, const Point2& q, Counters& counters);

/// Heights of corners around a convex polygon rise once and fall once. A search for a corner above and one below q,
/// then two binary searches between them, give the only two edges that the line y = q.y meets; q is inside if they are
/// on different sides of it. Nothing is computed beforehand.
///
/// Deviation: the thesis's loop keeps the lower of two ends of a range and drops half of the range by heights alone,
/// which can drop the half that has the minimum; here the slope at the middle decides, too (the tests have such a
/// polygon).
PointLocation point_in_convex_by_heights(std::span<const Point2> polygon, const Point2& q, Counters& counters);

}  // namespace graze::prim
