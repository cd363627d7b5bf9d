// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/vec3.hpp>

#include "math/dyadic.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::prim {

/// Closest points of two segments, rounded: parameters in [0, 1]. Either may be a point. |a - b| is never below the
/// true distance by more than the rounding of the points; the caller must bound how far above it may be (see
/// `separation`).
struct SegmentPair {
  double s, t;
  Vec3 a, b;
};
SegmentPair closest_segment_segment(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1);

/// The point of a triangle closest to p, rounded, and the part of the triangle that holds it.
struct TrianglePoint {
  Vec3 point;
  Part part;
};
TrianglePoint closest_point_triangle(const Vec3& p, const std::array<Vec3, 3>& t);

/// The same two functions for any finite size. Those above compute fourth powers of lengths and require sizes between
/// 2^-200 and 2^200.
SegmentPair closest_segment_segment_any_size(const std::array<Vec3, 2>& p, const std::array<Vec3, 2>& q);
TrianglePoint closest_point_triangle_any_size(const Vec3& p, const std::array<Vec3, 3>& t);

/// Closest points of two triangles, rounded, and the parts that hold them. 0 if they cross or nearly so.
struct ClosestPair {
  Vec3 a, b;
  Part part_a = Part::vertex0, part_b = Part::vertex0;
  double squared = 0;
};
ClosestPair closest_triangle_triangle(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);
/// The closest of all pairs of a vertex and a triangle, or of two edges: where the closest points lie in a face's
/// interior and not over a vertex, another pair. Edge k with bit k in `inner` is a diagonal of a polygon, and none of
/// its edges.
ClosestPair closest_vertex_or_edges(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, unsigned inner_a,
                                    unsigned inner_b);

/// A certified lower bound of the distance between two triangles whose coordinates are off by at most `error`: along n,
/// any direction from A to B, everything of A lies below everything of B by this much. Not positive if n proves
/// nothing. Sharp if n joins the closest points.
double separation(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, const Vec3& n, double error);

/// A direction from A to B across the parts that hold the closest points: a face's normal, across two edges, or away
/// from one; the vector between the points if both are corners. Where large triangles are very near, this is more
/// accurate than the vector between two rounded points, which a small error along an edge makes useless.
Vec3 across_parts(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, const ClosestPair& c);

/// Is the distance certainly above `bound`, as the plane of one of the triangles shows? A cheap filter before closest
/// points are computed.
bool planes_separate(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double error, double bound);

/// The square of the distance between two triangles, exactly: num / den; and the parts that hold the closest points.
/// For triangles that do not intersect; degenerate ones are the segments or points that they are.
struct ExactDistance {
  math::Dyadic num, den;
  Part part_a = Part::vertex0, part_b = Part::vertex0;
};
ExactDistance exact_distance(const std::array<math::DyadicVec3, 3>& a, const std::array<math::DyadicVec3, 3>& b);

}  // namespace graze::prim
