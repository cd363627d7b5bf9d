// SPDX-License-Identifier: MIT
#pragma once

namespace graze::mesh {

/// Smooth step from 0 to 1 for x from 0 to 1.
inline double ramp(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x); }

/// 1 at distance 0, 0 from distance 1 on, smooth; a function of the squared distance.
inline double bump(double distance_squared) {
  const double t = 1 - distance_squared;
  return t <= 0 ? 0 : t * t;
}

}  // namespace graze::mesh
