// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "math/vectors.hpp"

namespace graze::query {

/// The first time at which gap - speed t - bend t^2 / 2 = 0, for gap > 0 and bend >= 0; infinity if there is none.
inline double time_to_close(double gap, double speed, double bend) {
  const double root = std::sqrt(speed * speed + 2 * bend * gap);
  if (speed >= 0) return speed + root > 0 ? 2 * gap / (speed + root) : math::infinity;
  return bend > 0 ? (root - speed) / bend : math::infinity;
}

}  // namespace graze::query
