// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze::prim {

/// Are a closed triangle and a closed axis-aligned box certainly apart? "Yes" is a certificate, by one of 13
/// directions: the box's three, the triangle's normal, and its edges across the box's. "No" may be due to rounding: up
/// to that, the answer is that of `triangle_box`, in a fraction of the time.
bool triangle_box_apart(const std::array<Vec3, 3>& triangle, const Box3& box);

}  // namespace graze::prim
