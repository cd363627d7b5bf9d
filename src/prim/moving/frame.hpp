// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

#include "motion/path.hpp"

namespace graze::prim {

/// A point during a time span: at c + s l + d, with s from -1 at the start of the span to 1 at its end, and some d of
/// length at most r. The part in s is common to all points of a frame, so errors that depend on it are not counted
/// twice (a mean value form of CONTACT's inclusion functions, eq. 6).
struct MovingPoint {
  Vec3 c, l;
  double r = 0;

  Vec3 at(double s) const { return c + s * l; }
};

/// A body seen from the world or from another body during a time span: a point y of it (relative to its reference
/// point) is at (m0 + s m1) y + t0 + s t1 + d with |d| <= rest + turn_rest |y|. The remainders include all rounding,
/// also that of computing `place`.
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

/// Multiplies every length by a power of two and measures positions from a world point near both bodies: then no
/// relevant number overflows or underflows, and no precision is lost far from the world's origin.
struct MovingUnits {
  double scale = 1;
  Vec3 origin;
};

/// A motion during [t0, t1], in the world. For motions with velocities: a first-order Taylor form, with its remainder
/// from `motion::Bounds`; if the body rotates too far for that, only what the rotation preserves. For a user-defined
/// motion: the enclosure that it returns.
MovingFrame over(const motion::Path& path, double t0, double t1, const MovingUnits& units);

/// From two bodies in the world: B in A's frame.
MovingFrame relative(const MovingFrame& a, const MovingFrame& b);

}  // namespace graze::prim
