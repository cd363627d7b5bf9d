// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/core/counters.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze::prim {

/// Do a closed triangle and a closed axis-aligned box in the same frame share a point (Kitamura 3.7)? Exact; either may
/// be degenerate, and the box may be unbounded. An empty box meets nothing.
///
/// Two quick tests come first: the triangle's own box misses the box, or a corner is inside. Else the triangle is
/// clipped at the four planes of the box in x and y; a cut point that lies in its face of the box settles it at once.
/// For z the heights of what is left suffice. Counters box_clip_... tell which of these decided.
///
/// Deviation: clipping is done with intervals, whose signs are certain, in homogeneous coordinates, so that nothing is
/// divided; if a sign is not certain it is done again with exact numbers, by the same code.
bool triangle_box(const std::array<Vec3, 3>& triangle, const Box3& box, Counters& counters);

}  // namespace graze::prim
