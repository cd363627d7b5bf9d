// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/query/contact.hpp>

#include "prim/convex_nearest.hpp"
#include "query/distance/convex_body.hpp"

namespace graze::query {

/// A point of a convex body (in its mesh's frame, rounded) and the corners of which it is a convex combination.
struct ConvexPart {
  const ConvexBodyData& body;
  const prim::CornerSet& corners;
  Vec3 point;
  /// The point is known to be on the surface: if the corners span no feature (a search in doubles can end with corners
  /// of several faces that are coplanar but for rounding) it is in the face at the corners that is nearest to it.
  bool on_surface;
};

/// The features of the input that hold two nearest points: a vertex goes with a face, else edges and faces as they are.
/// None if the corners span no feature of their body (a common point inside it), or two faces.
std::optional<Feature> feature_of(const ConvexPart& a, const ConvexPart& b);

/// A corner over a face: which corners of the face a search ended with says nothing, so distance and direction are
/// taken from the plane through a fixed three of them.
void use_fixed_plane(const ConvexPart& a, const ConvexPart& b, const prim::ConvexFrame& frame,
                     prim::ConvexNearest& nearest);

/// Both points lie inside faces, which are parallel: some corner or edge of one polygon is then as near. Finds that
/// pair and moves the points to it; both polygons' corners are looked at in A's stored frame.
std::optional<Feature> feature_of_faces(const ConvexPart& a, const ConvexPart& b, const prim::ConvexFrame& frame,
                                        prim::ConvexNearest& nearest);

}  // namespace graze::query
