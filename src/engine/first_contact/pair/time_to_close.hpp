// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::first_contact {

/// The first time at which gap - speed t - acceleration t^2 / 2 = 0, for gap > 0 and acceleration >= 0; infinity if
/// there is none.
inline double time_to_close(double gap, double speed, double acceleration) {
  const double root = std::sqrt(speed * speed + 2 * acceleration * gap);
  if (speed >= 0) return speed + root > 0 ? 2 * gap / (speed + root) : math::infinity;
  return acceleration > 0 ? (root - speed) / acceleration : math::infinity;
}

/// The same for a gap that closes at this speed at most, which itself may grow.
inline double time_at_most(double gap, double speed, double grow) {
  if (grow > 0) return time_to_close(gap, speed, grow);
  return speed > 0 ? gap / speed : math::infinity;
}

}  // namespace graze::engine::first_contact
