// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/ray.hpp>

#include "body/body_data.hpp"

namespace graze::engine::ray {

/// The hits of a segment on the surface of a mesh: `cast_ray` for meshes. Fills in `hit`, `all` and the counters.
void cast(const body::BodyData& body, const Pose& pose, const Vec3& from, const Vec3& to, RayHits hits,
          RayResult& result);

}  // namespace graze::engine::ray
