// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

#include "shape/core.hpp"

namespace graze::engine::curved {

/// The outward unit normal of a curved shape near a point of its surface, in the shape's own frame. All coordinates are
/// at most 1 in size. At an edge it is one of the normals there. `towards`: the direction of the ray that hit it, which
/// tells the side of a flat shape. Zero for a shape without a surface: a point or a segment of radius 0.
Vec3 surface_normal(const shape::Core& core, const Vec3& point, const Vec3& towards);

}  // namespace graze::engine::curved
