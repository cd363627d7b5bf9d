// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <graze/math/vec3.hpp>

#include "bv/oriented_box.hpp"

namespace graze::bv {

/// The tightest box according to CONTACT 3.3, by the *min-max* method: the first axis is the direction of least extent
/// (maximum minus minimum) of the points, the second is the direction of least extent perpendicular to it, the third is
/// perpendicular to both. Directions are searched from a fixed set and from the principal axes, so the least extent is
/// that of the search, not a proven minimum. Never worse (by surface area) than `fit_oriented_box`. Contains every
/// point, rounding included.
OrientedBox fit_min_max_box(std::span<const Vec3> points);

}  // namespace graze::bv
