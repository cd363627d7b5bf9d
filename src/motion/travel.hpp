// SPDX-License-Identifier: MIT
#pragma once

#include "motion/interval_matrix.hpp"
#include "motion/path.hpp"

namespace graze::motion {

/// A ball of local points, a world direction and a time span [t0, t1]; the bounds below are for the ball's travel along
/// it.
struct Sweep {
  const Vec3& n;
  const Vec3& centre;
  double radius;
  double t0, t1;
};

/// An upper bound of n . (x(t) - x(t0)) for the real motion, the least of several; never negative, never NaN. `real`
/// holds the path's bounds, except that its velocity errors are relative to the velocities of the *real* motion, also
/// for a twist.
double travel_bound(const Path& path, const Bounds& real, const Sweep& sweep);

/// The same bound from positions alone: the displacement of the centre, from `over`, plus twice the radius. For long
/// time spans.
double reach_bound(const Path& path, const Sweep& sweep);

/// An upper bound of |a|; +infinity if an entry is infinite or NaN.
double length_above(const IntervalVector& a);

}  // namespace graze::motion
