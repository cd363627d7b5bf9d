// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <graze/math/vec3.hpp>

namespace graze::motion {

class JointPath;
class Path;

/// The axes of a chain's joints at one instant, in the world, rounded.
struct JointAxes {
  static constexpr std::size_t most = 8;
  double w[most][3];  ///< the angular velocity of each joint alone; `DirectedBounds::count` of them
  Vec3 slide;         ///< the sum of the sliding velocities of joints and of the velocity of the base's axis
};

/// Bounds for all of [0, 1] of a motion composed of several rotations and translations, from which a speed along a
/// direction n can be bounded (docs/motions.md, "Along a direction"). `r` is a point's distance from the path's
/// reference point.
struct DirectedBounds {
  struct Axis {
    double turn;      ///< upper bound of |w_i|
    double error;     ///< of w_i in `JointAxes`
    double tilt;      ///< upper bound of |w_i'|: the joints before it tilt its axis, and its own speed may change
    double distance;  ///< upper bound, of the reference point from the axis
    double acceleration,
        turn_acceleration;  ///< |n . x''| <= sum of |n x w_i| (acceleration + turn_acceleration r), and the rest below
    double slides;          ///< sum of the sliding speeds of the joints after it
  };
  std::array<Axis, JointAxes::most> axis{};
  std::size_t count = 0;
  /// Contributions without an axis above, valid in every direction: a base without a fixed axis, joints beyond `most`,
  /// the errors of sliding velocities.
  double speed = 0, turn_speed = 0, acceleration = 0, turn_acceleration = 0;
  /// The effect of tilting axes: the speed bound along n grows by at most growth + turn_growth r per unit of time.
  double growth = 0, turn_growth = 0;
  /// The same for sliding velocities that are rotated: at most the lesser of this and the sum of all |n x w_i| slides
  /// plus the rest.
  double slide_growth = 0, rest_slide_growth = 0;
};

/// Along one direction n of length one, from the instant t0 of the axes until `span` later:
///   n . x'(t) <= n . slide + speed + turn_speed r + (growth + turn_growth r) (t - t0)
///   |n . x''(t)| <= acceleration + turn_acceleration r
struct DirectedRise {
  double speed, turn_speed, growth, turn_growth, acceleration, turn_acceleration;
};
DirectedRise directed_rise(const DirectedBounds& bounds, const JointAxes& axes, const Vec3& n, double span);

/// One of the motions that a chain is composed of: bounds on its own speeds, on the distance of the link's reference
/// point from its axis (or from its reference point, if it has no fixed axis), and errors.
struct Share {
  double speed, turn, acceleration, turn_acceleration, distance;
  double velocity_error, turn_velocity_error;
  double frame_error;            ///< turn error of its frame
  double turn_bend, slide_bend;  ///< how fast its own angular speed and its sliding speed change; 0 where they do not
};

/// For a base, which may be null, and the joints after it; `shares` are theirs, the base's first.
DirectedBounds directed_bounds(const Path* base, std::span<const JointPath> joints, std::span<const Share> shares);

}  // namespace graze::motion
