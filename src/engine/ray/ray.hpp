// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/ray.hpp>

#include "body/body_data.hpp"

namespace graze::engine::ray {

/// The first hit of a segment on the surface of a mesh: `cast_ray` for meshes.
std::optional<RayHit> cast(const body::BodyData& body, const Pose& pose, const Vec3& from, const Vec3& to,
                           Counters& counters);

}  // namespace graze::engine::ray
