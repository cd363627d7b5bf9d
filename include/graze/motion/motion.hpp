// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>

#include <graze/core/export.hpp>
#include <graze/math/interval.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

namespace motion {
class Path;
}

/// The placement of a body at one time, rounded: a local point x is at r x + t (r in row-major order).
struct Placement {
  std::array<double, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 t;

  Vec3 apply(const Vec3& x) const {
    return {r[0] * x.x + r[1] * x.y + r[2] * x.z + t.x, r[3] * x.x + r[4] * x.y + r[5] * x.z + t.y,
            r[6] * x.x + r[7] * x.y + r[8] * x.z + t.z};
  }
};

/// Bounds of the placement over a time span: every exact placement in the span lies within these intervals, entry by
/// entry.
struct IntervalPlacement {
  std::array<Interval, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<Interval, 3> t{};
};

/// A motion over t in [0, 1] defined by the caller. It must be rigid and continuous. The library does not verify its
/// bounds: answers are certified if and only if they are correct. Called from several threads concurrently.
class GRAZE_API OwnMotion {
 public:
  virtual ~OwnMotion();
  /// The placement at t, rounded. Must lie in `over(t, t)`.
  virtual Placement at(double t) const = 0;
  /// Contains all placements in [t0, t1].
  virtual IntervalPlacement over(double t0, double t1) const = 0;
  /// An upper bound of n . (x(t) - x(t0)) for every t in [t0, t1] and every local point x at most `radius` from
  /// `centre`. n is in world coordinates and need not have length one.
  virtual double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const = 0;
};

/// How a body moves while t runs from 0 to 1. Immutable, cheap to copy and thread-safe. The functions and types below
/// create motions; each converts to `Motion`.
class GRAZE_API Motion {
 public:
  /// At rest at the origin.
  Motion();
  explicit Motion(std::shared_ptr<const motion::Path> path) : path_(std::move(path)) {}
  explicit Motion(std::shared_ptr<const OwnMotion> own);

  /// The placement at t in [0, 1], rounded.
  Placement at(double t) const;
  /// Certified to contain all exact placements in [t0, t1], 0 <= t0 <= t1 <= 1.
  IntervalPlacement over(double t0, double t1) const;
  /// Certified: no local point within `radius` of `centre` travels further than this along n (in world coordinates, of
  /// any length) from its position at t0 to its position at any t in [t0, t1]. Never negative.
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const;

  /// For internal use.
  const motion::Path& path() const { return *path_; }

 private:
  std::shared_ptr<const motion::Path> path_;
};

/// Does not move.
struct GRAZE_API Still {
  Pose pose;
  operator Motion() const;
};

/// Constant linear velocity of a reference point and constant angular velocity about it (FAST 4.1).
class GRAZE_API Velocity {
 public:
  /// From one pose to another: the reference point (in local coordinates; for example, the centre of mass) moves on a
  /// straight line, and the body rotates about a fixed axis by the smaller angle. For a half turn, where both
  /// directions have the same angle, the axis is the one whose first non-zero component is positive. Starts and ends
  /// exactly at the two poses.
  Velocity(const Pose& from, const Pose& to, const Vec3& reference = {});
  /// From a pose, with velocities per unit of time in world coordinates; any number of turns (below 2^20 radians).
  /// Throws `Error` (not_finite, bad_option).
  static Velocity from_speeds(const Pose& from, const Vec3& linear, const Vec3& angular, const Vec3& reference = {});
  operator Motion() const { return motion_; }

 private:
  explicit Velocity(Motion m) : motion_(std::move(m)) {}
  Motion motion_;
};

/// Rotates about a fixed axis and translates along it, both at constant speed (CONTACT 3.1). Without rotation (or with
/// almost none) it is a straight line. Starts and ends exactly at the two poses; half turns as for `Velocity`.
class GRAZE_API Screw {
 public:
  Screw(const Pose& from, const Pose& to);
  operator Motion() const { return motion_; }

 private:
  Motion motion_;
};

/// Translation, and roll, pitch and yaw in radians: R = Rz(yaw) Ry(pitch) Rx(roll).
struct RollPitchYaw {
  Vec3 translation;
  double roll = 0, pitch = 0, yaw = 0;
};

/// All six parameters change linearly (CONTACT 3.1, end).
class GRAZE_API LinearParameters {
 public:
  /// Angles below 2^20 radians; throws `Error` (not_finite, bad_option).
  LinearParameters(const RollPitchYaw& from, const RollPitchYaw& to);
  /// The angles of two poses, pitch in [-pi/2, pi/2]; roll and yaw change by the smaller angle (for half a turn, to
  /// within 2^-40, in the positive direction). Starts and ends at the poses to within a certified rounding error, which
  /// every bound includes.
  LinearParameters(const Pose& from, const Pose& to);
  operator Motion() const { return motion_; }

 private:
  Motion motion_;
};

}  // namespace graze
