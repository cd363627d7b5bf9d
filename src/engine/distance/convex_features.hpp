// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/body/contact.hpp>

#include "engine/distance/convex_body.hpp"
#include "prim/convex/nearest.hpp"

namespace graze::engine::distance {

/// A point of a convex body (in its mesh's frame, rounded) and the corners whose convex combination it is.
struct ConvexPart {
  const ConvexBodyData& body;
  const prim::CornerSet& corners;
  Vec3 point;
  /// The point is known to be on the surface. If the corners span no feature (a search in double precision can end with
  /// corners of several faces that are coplanar up to rounding), it is assigned to the face at the corners that is
  /// nearest to it.
  bool on_surface;
};

/// The input features that contain two nearest points: a vertex is paired with a face, otherwise edges and faces are
/// reported as they are. None if the corners span no feature of their body (a common point inside it), or two faces.
std::optional<Feature> feature_of(const ConvexPart& a, const ConvexPart& b);

/// For a corner over a face: the corners of the face with which a search ended are arbitrary, so distance and direction
/// are computed from the plane through a fixed three of them.
void use_fixed_plane(const ConvexPart& a, const ConvexPart& b, const prim::ConvexFrame& frame,
                     prim::ConvexNearest& nearest);

/// For two points inside faces, which are then parallel: some corner or edge of one polygon is as near. Finds that pair
/// and moves the points to it; the corners of both polygons are compared in A's stored frame.
std::optional<Feature> feature_of_faces(const ConvexPart& a, const ConvexPart& b, const prim::ConvexFrame& frame,
                                        prim::ConvexNearest& nearest);

}  // namespace graze::engine::distance
