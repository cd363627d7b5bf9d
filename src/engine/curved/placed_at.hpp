// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/vec3.hpp>

#include "motion/path.hpp"

namespace graze::engine::curved {

/// Where a body is at one time, rounded: a local point x is at r x + t.
struct PlacedAt {
  std::array<double, 9> r;
  Vec3 t;
  double spread = 0;  ///< no point of the body is further from where it really is
  double turn = 0;    ///< no entry of r is further from the real one
};

/// `far`: of the body's points from its origin.
PlacedAt place_of(const motion::Path& path, double t, double far);

}  // namespace graze::engine::curved
