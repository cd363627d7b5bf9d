// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/math/pose.hpp>

namespace graze {

enum class Location { outside, on_surface, inside, invalid_request };

struct ContainsResult {
  Location location = Location::invalid_request;
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`: the body is not closed, or the point not finite
  std::optional<PieceId> piece;      ///< of a compound: the first piece that the point is in, or else on
};

/// Is a point in world coordinates inside the placed body? Inside means that a ray from the point crosses the surface
/// an odd number of times. Correct for every degenerate position of the ray, because the ray is perturbed symbolically
/// (by infinitesimals, never numerically). The body must be closed: every edge bounds an even number of polygons. A
/// point is inside a compound if it is inside a piece, and on its surface if it is on that of a piece and inside none.
GRAZE_API ContainsResult contains(const Body& body, const Pose& pose, const Vec3& point);
/// The same, writing into a result that is reused.
GRAZE_API void contains(const Body& body, const Pose& pose, const Vec3& point, ContainsResult& result);

}  // namespace graze
