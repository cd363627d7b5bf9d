// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/pose.hpp>

#include "prim/convex/points.hpp"

namespace graze::prim {

/// Two placed convex bodies in A's frame: A's stored points keep their coordinates, B's stored point y is at R y + t,
/// rounded.
///
/// `slack` bounds the following errors, with u = 2^-53 and |.| the length: R is made from the rounded product of two
/// quaternions (each component off by 4 u |qa| |qb|, so the rotation by 16 u) by the usual formula (8 u an entry, 17 u
/// on the diagonal: 33 u as a matrix), so |R~ - R| <= 49 u; a product with it adds 5.2 u. Hence, for body radii ra, rb,
/// centres ca, cb and d = tb - ta:
///   R y + t                 55.2 u rb + 57.2 u |cb| + 42.2 u |d| + 3 u |ca|
///   differences b - a       u each of rb, |cb|, |d|, |ca|, ra
///   products n . (b - a)    3.1 u |n| times the same
///   the direction R^T n     54.2 u |n|, over B's width 2 rb
///   convex combinations     8 u times the same sum (the points reported)
/// Together at most u (192 rb + 72 |cb| + 56 |d| + 16 |ca| + 16 ra).
struct ConvexFrame {
  ConvexFrame(const Pose& pose_a, const ConvexPoints& a, const Pose& pose_b, const ConvexPoints& b);

  std::array<double, 9> r;   ///< rows of R
  Vec3 t;                    ///< B's stored origin
  std::array<double, 9> ra;  ///< A's rotation, to transform back to the world
  double slack;              ///< bound of the errors above
  bool usable;               ///< false: sizes so large or small that products could overflow or underflow

  Vec3 place(const Vec3& y) const {
    return {r[0] * y.x + r[1] * y.y + r[2] * y.z + t.x, r[3] * y.x + r[4] * y.y + r[5] * y.z + t.y,
            r[6] * y.x + r[7] * y.y + r[8] * y.z + t.z};
  }
  /// R^T n.
  Vec3 in_b(const Vec3& n) const {
    return {r[0] * n.x + r[3] * n.y + r[6] * n.z, r[1] * n.x + r[4] * n.y + r[7] * n.z,
            r[2] * n.x + r[5] * n.y + r[8] * n.z};
  }
  /// Ra n: a direction of A's frame in the world.
  Vec3 in_world(const Vec3& n) const {
    return {ra[0] * n.x + ra[1] * n.y + ra[2] * n.z, ra[3] * n.x + ra[4] * n.y + ra[5] * n.z,
            ra[6] * n.x + ra[7] * n.y + ra[8] * n.z};
  }
};

}  // namespace graze::prim
