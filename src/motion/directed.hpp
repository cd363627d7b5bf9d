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
  double w[most][3];  ///< the angular velocity of each by itself; as many as `DirectedBounds::count`
  Vec3 slide;         ///< the velocities at which joints slide, and at which a base's axis moves, added up
};

/// What is known during all of [0, 1] of a motion that is several turns and slides one behind the other, so that a
/// speed along a direction n can be bounded (docs/motions.md, "Along a direction"). `r` is a point's distance from the
/// path's reference point.
struct DirectedBounds {
  struct Axis {
    double turn;             ///< |w_i| at most
    double error;            ///< of w_i in `JointAxes`
    double tilt;             ///< |w_i'| at most: how fast the joints before it turn its axis
    double distance;         ///< of the reference point from the axis, at most
    double bend, turn_bend;  ///< |n . x''| <= sum of |n x w_i| (bend + turn_bend r), and the rest below
    double slides;           ///< the speeds at which joints behind it slide, together
  };
  std::array<Axis, JointAxes::most> axis{};
  std::size_t count = 0;
  /// What has no axis above, in every direction: a base without a fixed axis, joints beyond the most, what slides are
  /// off by.
  double speed = 0, turn_speed = 0, bend = 0, turn_bend = 0;
  /// The tilting of all axes: by how much the bound of the speed along n grows in a unit of time, growth +
  /// turn_growth r.
  double growth = 0, turn_growth = 0;
  /// The same for slides that are turned: at most the lesser of this, and of all |n x w_i| slides together with the
  /// rest.
  double slide_growth = 0, rest_slide_growth = 0;
};

/// Along one direction n of length one, from the instant t0 of the axes until `span` later:
///   n . x'(t) <= n . slide + speed + turn_speed r + (growth + turn_growth r) (t - t0)
///   |n . x''(t)| <= bend + turn_bend r
struct DirectedRise {
  double speed, turn_speed, growth, turn_growth, bend, turn_bend;
};
DirectedRise directed_rise(const DirectedBounds& bounds, const JointAxes& axes, const Vec3& n, double span);

/// One of the motions that a chain is composed of: bounds of its own speeds, how far the link's reference point can be
/// from its axis (or from its reference point, if it has no fixed axis), and errors.
struct Share {
  double speed, turn, bend, turn_bend, distance;
  double velocity_error, turn_velocity_error;
  double frame_error;  ///< turn error of the frame that it stands in
};

/// Of a base, which may be null, and the joints behind it; `shares` are theirs, the base's first.
DirectedBounds directed_bounds(const Path* base, std::span<const JointPath> joints, std::span<const Share> shares);

}  // namespace graze::motion
