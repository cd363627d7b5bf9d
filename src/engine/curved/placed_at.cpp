// SPDX-License-Identifier: MIT
#include "engine/curved/placed_at.hpp"

#include "math/vectors.hpp"
#include "motion/interval_matrix.hpp"

namespace graze::engine::curved {

PlacedAt place_of(const motion::Path& path, double t, double far) {
  if (!path.kinematic()) {
    const IntervalPlacement p = path.over(Interval(t));
    PlacedAt out{{}, motion::middle(p.t), motion::radius(p.t) + motion::radius(p.r) * far, motion::radius(p.r)};
    for (std::size_t i = 0; i < 9; ++i) out.r[i] = motion::middle(p.r[i]);
    return out;
  }
  // The bounds of motion/path.hpp, which hold for points at any distance from the reference point. So the matrix
  // differs from the real one by at most `turn_error` in every direction. 16 eps covers the rounding of o and of the
  // sums here.
  const motion::Instant now = path.at(t);
  const motion::Bounds& bounds = path.bounds();
  const double around = far + length(path.reference());
  const double rounded = 16 * math::eps * (length(now.o) + length(now.v) + around);
  return {now.r, now.o - math::turned(now.r, path.reference()), bounds.error + bounds.turn_error * around + rounded,
          bounds.turn_error + 16 * math::eps};
}

}  // namespace graze::engine::curved
