// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

/// Response to contacts: programs on graze's public interface.
namespace graze::play {

/// The velocity of a rigid body: of its centre of mass, and the angular velocity, in world coordinates.
struct Twist {
  Vec3 linear, angular;
  friend bool operator==(const Twist&, const Twist&) = default;
};

/// A symmetric 3 x 3 matrix.
struct Symmetric {
  double xx = 1, yy = 1, zz = 1, xy = 0, xz = 0, yz = 0;
  Vec3 times(const Vec3& v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
  }
};

/// A body as the response sees it.
struct Inert {
  Vec3 centre;        ///< of mass, in world coordinates
  double mass = 1;    ///< greater than 0
  Symmetric inertia;  ///< about the centre, in world axes; positive definite
};

/// Two bodies may not approach each other faster than this where they touch.
struct Touch {
  std::optional<std::size_t> a, b;  ///< indices of bodies; none: one that does not move
  Vec3 point_a, point_b;            ///< on each, in world coordinates
  Vec3 normal;                      ///< unit, from A to B
  double least = 0;                 ///< normal . (velocity of point_b - velocity of point_a) must be at least this
};

/// Motions of all bodies, and the proof that no better ones exist.
struct LeastDeviation {
  /// False: no velocities satisfy all touches (possible only if some `least` is greater than 0), or numbers overflow.
  /// The twists are then all zero.
  bool solved = false;
  std::vector<Twist> twists;
  std::vector<double> impulses;  ///< one for each touch, 0 or more, along its normal
  double deviation = 0;          ///< half the squared deviation, weighted with masses
  // The certificate, both bounds computed with intervals from the numbers in this struct:
  double violation = 0;  ///< every touch holds to within this speed
  double gap = 0;        ///< velocities that satisfy all touches deviate by at least `deviation - gap`
  std::size_t steps = 0;
};

/// Gauss' principle of least constraint (the companion of CONTACT: Redon, Kheddar, Coquillart 2002): of all velocities
/// that satisfy the touches, those that deviate least from the wished ones,
///
///     min 1/2 (v - w)^T M (v - w)   subject to   J v >= least.
///
/// With wished velocities that come from an input device this is the motion of first order; with w = v + dt M^-1 F, the
/// velocities that the forces alone would give, it is Gauss' principle for one step of time. All touches are solved at
/// once, by the dual active-set method of Goldfarb and Idnani (1983); the objective is strictly convex, so the answer
/// is unique however many touches are redundant.
///
/// The certificate is weak duality: for any impulses l >= 0 the value of the dual function,
/// l^T (least - J w) - 1/2 |M^-1/2 J^T l|^2, is at most the least possible deviation.
LeastDeviation least_deviation(std::span<const Inert> bodies, std::span<const Twist> wished,
                               std::span<const Touch> touches);

}  // namespace graze::play
