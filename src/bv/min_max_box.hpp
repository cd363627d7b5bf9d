// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <graze/math/vec3.hpp>

#include "bv/oriented_box.hpp"

namespace graze::bv {

/// The box that CONTACT 3.3 found tightest, by the *min-max* method: the first axis is the direction along which the
/// points reach least from their minimum to their maximum, the second the one perpendicular to it along which they
/// reach least, the third is perpendicular to both. Directions are searched for from a fixed set and from the principal
/// axes, so the least reach is that of the search, not a proven minimum. Never worse (by surface) than
/// `fit_oriented_box`. Contains every point, rounding included.
OrientedBox fit_min_max_box(std::span<const Vec3> points);

}  // namespace graze::bv
