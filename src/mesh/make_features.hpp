// SPDX-License-Identifier: MIT
#pragma once

namespace graze::mesh {

/// From 0 to 1 while x goes from 0 to 1, smooth at both ends.
inline double ramp(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x); }

/// 1 at distance 0, 0 from distance 1 on, smooth; of the squared distance.
inline double bump(double distance_squared) {
  const double t = 1 - distance_squared;
  return t <= 0 ? 0 : t * t;
}

}  // namespace graze::mesh
