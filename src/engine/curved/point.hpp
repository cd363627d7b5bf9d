// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/contains.hpp>
#include <graze/ask/ray.hpp>

#include "body/body_data.hpp"

namespace graze::engine::curved {

/// Where a point of the world is relative to a placed shape that is curved or a half-space. Within the rounding bound
/// of a curved surface it is `on_surface`; of a half-space it is exact.
Location locate(const body::BodyData& shape, const Pose& pose, const Vec3& point);

/// Where a segment first meets a placed shape that is curved or a half-space: fraction, point; 0 if it starts inside.
/// A segment that comes within the rounding bound meets it; `certain` is then false.
std::optional<RayHit> cast(const body::BodyData& shape, const Pose& pose, const Vec3& from, const Vec3& to,
                           bool& certain);

}  // namespace graze::engine::curved
