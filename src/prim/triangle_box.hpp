// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/core/method_counters.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze::prim {

/// Do a closed triangle and a closed axis-aligned box in the same frame share a point (Kitamura 3.7)? Exact; either may
/// be degenerate, and the box may be unbounded. An empty box meets nothing.
///
/// Two quick tests come first: the triangle's own box misses the box, or a corner is inside. Otherwise the triangle is
/// clipped at the four planes of the box in x and y; a cut point that lies in its face of the box decides at once. For
/// z the heights of the remaining polygon suffice. The counters box_clip_... record which of these decided.
///
/// Deviation: clipping is done with intervals, whose signs are certain, in homogeneous coordinates, so that no division
/// is needed; if a sign is not certain, clipping is repeated with exact numbers, by the same code.
bool triangle_box(const std::array<Vec3, 3>& triangle, const Box3& box, AllCounters& counters);

}  // namespace graze::prim
