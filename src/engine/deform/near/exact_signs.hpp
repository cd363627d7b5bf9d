// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

namespace graze::engine::deform {

/// The exact difference of two points.
struct Arrow {
  Vec3 from, to;
};

// Exact signs (-1, 0, +1) for all finite doubles: first a filter with its error bound, then expansions where nothing
// can overflow or underflow, then big integers.

/// The sign of x . y.
int dot_sign(const Arrow& x, const Arrow& y);
/// The sign of (x cross y) . (z cross w).
int crosses_sign(const Arrow& x, const Arrow& y, const Arrow& z, const Arrow& w);

}  // namespace graze::engine::deform
