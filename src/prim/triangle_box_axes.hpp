// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze::prim {

/// Are a closed triangle and a closed axis-aligned box certainly apart? "Yes" is a certificate, by one of 13
/// directions: the three axes of the box, the triangle's normal, and the cross products of the edges of both. "No" may
/// be due to rounding. Apart from that, the answer is that of `triangle_box`, in a fraction of the time.
bool triangle_box_apart(const std::array<Vec3, 3>& triangle, const Box3& box);

}  // namespace graze::prim
