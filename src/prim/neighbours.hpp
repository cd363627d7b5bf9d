// SPDX-License-Identifier: MIT
#pragma once

#include "math/placed_points.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::prim {

/// Triangles (v, a, b) and (v, c, d) of one mesh: do they share a point other than v? Points 0 to 4 are v, a, b, c, d;
/// any may coincide. Exact.
///
/// Proper triangles: their intersection is convex and contains v. If it contains another point, follow the ray from v
/// through it until it leaves one of the triangles: it does so through that triangle's edge opposite to v, which does
/// not contain v. So testing both opposite edges is sufficient. A degenerate triangle is the union of the segments from
/// v to its other two corners, each of which leaves the other triangle at its own end or through the opposite edge.
EdgeContact meet_beyond_vertex(math::PlacedPoints& p);

/// Triangles (u, v, a) and (u, v, b): do they share a point outside the edge uv? Points 0 to 3 are u, v, a, b. Exact.
///
/// Proper triangles in different planes share only points of the line uv, and each has only the edge itself there. In
/// one plane they share more exactly if a and b lie on the same side of uv. Degenerate triangles are segments on that
/// line.
bool meet_beyond_edge(math::PlacedPoints& p);

}  // namespace graze::prim
