// SPDX-License-Identifier: MIT
#pragma once

#include "motion/interval_matrix.hpp"
#include "motion/path.hpp"

namespace graze::motion {

/// What a ball of local points does along a direction of the world, for t in [t0, t1].
struct Sweep {
  const Vec3& n;
  const Vec3& centre;
  double radius;
  double t0, t1;
};

/// An upper bound of n . (x(t) - x(t0)) for the real motion, the least of several; never negative, never NaN. `real`
/// are the path's bounds, but with velocity errors that hold against the velocities of the *real* motion, also of a
/// twist.
double travel_bound(const Path& path, const Bounds& real, const Sweep& sweep);

/// The same from the places alone: the centre's, by `over`, and twice the radius. For long spans.
double reach_bound(const Path& path, const Sweep& sweep);

/// Of |a|, rounded up; +infinity where an entry is not finite or not a number.
double length_above(const IntervalVector& a);

}  // namespace graze::motion
