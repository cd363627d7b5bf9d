// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze::engine::ray {

/// The double nearest to the fraction (see exact_fraction) at which a segment of the world meets a triangle of a body
/// in this pose, if about 100 bits suffice to determine it; none for a segment in the triangle's plane, and for
/// fractions so near to the midpoint of two doubles that only exact arithmetic can decide.
std::optional<double> rounded_fraction(const Pose& pose, const Vec3& from, const Vec3& to,
                                       const std::array<Vec3, 3>& corners);

}  // namespace graze::engine::ray
