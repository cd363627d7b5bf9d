// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/core/counters.hpp>
#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <graze/query/body.hpp>

namespace graze {

/// Where a ray first meets a body.
struct RayHit {
  double fraction = 0;  ///< of the way, in [0, 1], rounded
  Vec3 point;           ///< in the world, rounded
  TriangleId triangle{};
  PolygonId polygon{};
};

struct RayResult {
  std::optional<RayHit> hit;  ///< none: certified, the segment and the surface share no point
  Counters counters;
};

/// Does the straight way between two points of the world meet the surface of the placed body, and where first? Whether
/// it meets it is decided exactly; among the triangles that it meets, the first by the rounded fraction, then by id.
/// Throws `Error` (not_finite).
GRAZE_API RayResult cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to);

}  // namespace graze
