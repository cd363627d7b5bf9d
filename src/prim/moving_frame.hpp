// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

#include "motion/path.hpp"

namespace graze::prim {

/// A point while the time runs through a span: at c + s l + d, s from -1 at the start of the span to 1 at its end, and
/// some d of length at most r. The part in s is common to all points of a frame, so what depends on it is not counted
/// twice (a mean value form of CONTACT's inclusion functions, eq. 6).
struct MovingPoint {
  Vec3 c, l;
  double r = 0;

  Vec3 at(double s) const { return c + s * l; }
};

/// A body seen from the world or from another body during a span of time: a point y of it (relative to its reference
/// point) is at (m0 + s m1) y + t0 + s t1 + d with |d| <= rest + turn_rest |y|. Rounding is in the rests, also that of
/// computing `place`.
struct MovingFrame {
  Vec3 m0[3], m1[3];  ///< rows
  Vec3 t0, t1;
  double rest = 0, turn_rest = 0;

  Vec3 turn0(const Vec3& y) const { return {dot(m0[0], y), dot(m0[1], y), dot(m0[2], y)}; }
  Vec3 turn1(const Vec3& y) const { return {dot(m1[0], y), dot(m1[1], y), dot(m1[2], y)}; }
  MovingPoint place(const Vec3& y) const {
    const double size = std::sqrt(dot(y, y)) * (1 + 0x1p-50);
    return {turn0(y) + t0, turn1(y) + t1, rest + turn_rest * size};
  }
};

/// Multiplies every length by a power of two and counts places from a point of the world near both bodies: then
/// nothing over- or underflows that matters, and nothing is lost far from the world's origin.
struct MovingUnits {
  double scale = 1;
  Vec3 origin;
};

/// A motion during [t0, t1], in the world. For motions with velocities a first-order Taylor form, its rest from
/// `motion::Bounds`; where the body turns too far for that, what turning leaves in place; for a caller's own motion the
/// enclosure it gives.
MovingFrame over(const motion::Path& path, double t0, double t1, const MovingUnits& units);

/// Of two bodies in the world: B seen from A.
MovingFrame relative(const MovingFrame& a, const MovingFrame& b);

}  // namespace graze::prim
