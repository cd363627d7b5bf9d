// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// Where a ray first meets a body.
struct RayHit {
  /// The double nearest to the exact s in [0, 1] for which from + s (to - from) is the point.
  double fraction = 0;
  /// In world coordinates, rounded: the error on each axis is less than 2^-50 of the end points' largest coordinate.
  Vec3 point;
  TriangleId triangle{};
  PolygonId polygon{};
  std::optional<PieceId> piece = {};  ///< of a compound; the first of several that are met at the same fraction
};

struct RayResult {
  /// `contact` with a hit; `free`: certified, the segment and the surface (of a shape: the solid) share no point.
  Status status = Status::undecided;
  std::optional<RayHit> hit;
  bool certain = true;  ///< false only for a curved shape: the segment may miss it by less than a rounding bound
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`: an end point is not finite
};

/// Does the line segment between two points in world coordinates meet the surface of the placed body, and where first?
/// Whether it meets the surface is decided exactly. Among the triangles that it meets, the hit is the first by the
/// exact fraction, then by id. This holds for every ray and scale: in the plane of a face, along an edge, at a point,
/// for degenerate triangles. Shapes are solid: a segment that starts inside one meets it at 0. With a curved shape the
/// fraction is rounded: the point is within the rounding bound (shape/shape.hpp) of the first contact.
GRAZE_API RayResult cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to);
/// The same, writing into a result that is reused.
GRAZE_API void cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, RayResult& result);

}  // namespace graze
