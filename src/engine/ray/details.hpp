// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/ray.hpp>

#include "body/body_data.hpp"
#include "math/relative_placement.hpp"

namespace graze::engine::ray {

/// A segment of the world and a placed mesh. `placement`: of the pose and the world.
struct RayQuestion {
  const body::BodyData& body;
  const Pose& pose;
  const math::RelativePlacement& placement;
  const Vec3 &from, &to;
};

/// Adds normal, weights and feature to a hit whose other fields are known.
void add_details(const RayQuestion& q, RayHit& hit);

}  // namespace graze::engine::ray
