// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/math/pose.hpp>
#include <graze/query/body.hpp>

namespace graze {

enum class Location { outside, on_surface, inside, invalid_request };

struct ContainsResult {
  Location location = Location::invalid_request;
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`: the body is not closed
};

/// Is a point of the world inside the placed body? Inside means: a ray from it crosses the surface an odd number of
/// times. Right for every degeneracy of the ray: the ray is moved by infinitesimals, never by numbers. The body must be
/// closed: every edge bounds an even number of polygons.
GRAZE_API ContainsResult contains(const Body& body, const Pose& pose, const Vec3& point);

}  // namespace graze
