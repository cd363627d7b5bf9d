// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <graze/core/export.hpp>

namespace graze {

namespace motion {
struct TrajectoryData;
}

/// A waypoint, as messages of ROS carry it (trajectory_msgs/JointTrajectoryPoint): all coordinates, in the order of
/// `Chain`, and what is known of their derivatives.
struct TrajectoryPoint {
  double time = 0;  ///< in seconds, say; those of the points increase
  std::vector<double> positions;
  std::vector<double> velocities = {};     ///< one for each coordinate, or none
  std::vector<double> accelerations = {};  ///< one for each coordinate, or none
};

/// What a coordinate does between two waypoints.
enum class Interpolation {
  from_data,  ///< as controllers of ROS do: quintic where both points have velocities and accelerations, cubic where
              ///< both have velocities, linear otherwise
  linear,
  cubic,   ///< the polynomial of degree 3 with these positions and velocities
  quintic  ///< the polynomial of degree 5 with these positions, velocities and accelerations
};

/// All coordinates of a `Chain` or `Robot` as functions of time, segment by segment polynomials of degree 5 at most.
/// They are exact: the real polynomials with the given numbers. Where a coordinate is an angle it is not taken modulo a
/// turn: from 3 to -3 it goes back through 0. Immutable, cheap to copy and thread-safe.
class GRAZE_API Trajectory {
 public:
  /// Through at least two waypoints. `each`: what each coordinate does, or one for all; more than one lets joints have
  /// different polynomials. The quaternion of a floating joint always turns evenly from one waypoint to the next, the
  /// shorter way. Throws `Error`, element "waypoint" and its number: bad_option if a time is not later than the one
  /// before it, or if the number of positions, velocities or accelerations does not fit; not_finite.
  static Trajectory through(std::span<const TrajectoryPoint> points, std::span<const Interpolation> each = {});
  /// A cubic B-spline: `control` has one state after another, of `coordinates` numbers each, at least four, and `knots`
  /// four more than there are states. The trajectory is from the fourth knot to the fourth from the end. Throws
  /// `Error`, element "knot" or "control point" and its number: bad_option if a knot is less than the one before it, or
  /// if more than three inner knots are the same (the spline would jump), or if numbers do not fit; not_finite.
  static Trajectory spline(std::span<const double> control, std::size_t coordinates, std::span<const double> knots);
  /// With knots evenly from one time to another, such that it starts and ends at the first and the last control point.
  static Trajectory spline(std::span<const double> control, std::size_t coordinates, double start, double end);

  std::size_t coordinates() const;
  /// Those of a spline are between two knots.
  std::size_t segments() const;
  double start(std::size_t segment) const;
  double end(std::size_t segment) const;
  /// The time at a share of a segment, from 0 to 1, rounded.
  double time(std::size_t segment, double share) const;
  /// The coordinates there, rounded. Throws `Error` (index_out_of_range, bad_option).
  void state(std::size_t segment, double share, std::span<double> q) const;

  /// For internal use.
  const motion::TrajectoryData& data() const { return *data_; }
  explicit Trajectory(std::shared_ptr<const motion::TrajectoryData> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const motion::TrajectoryData> data_;
};

}  // namespace graze
