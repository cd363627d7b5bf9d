// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <graze/motion/motion.hpp>

#include "motion/directed.hpp"

namespace graze::motion {

/// Position and velocity of a body at one instant, rounded: a local point x is at o + r (x - reference) and moves at
/// v + w x (r (x - reference)).
struct Instant {
  std::array<double, 9> r;
  Vec3 o;  ///< the reference point
  Vec3 v;  ///< its velocity
  Vec3 w;  ///< angular velocity
};

/// Bounds that hold for a motion during all of [0, 1].
///
/// The *computed* path is the exact path with the parameters rounded to doubles. `error` and `turn_error` bound how far
/// any point of it, evaluated by `Path::at` in doubles, is from the real path, at any t. Velocity bounds refer to the
/// computed path, so they do not include this error.
struct Bounds {
  /// The reference point moves on a straight line with constant v, and w is constant. Distances are then from the axis
  /// through the reference point along w, and only |n x w| matters along a direction n (docs/design.md 4 (i) and
  /// (iii)). Otherwise distances r are from the reference point and the speeds below hold in every direction.
  bool twist = true;
  double speed = 0, turn_speed = 0;                ///< |x'| <= speed + turn_speed r
  double acceleration = 0, turn_acceleration = 0;  ///< |x''| <= acceleration + turn_acceleration r
  double error = 0, turn_error = 0;  ///< |at(t) - real| <= error + turn_error r, r from the reference point; the same
                                     ///< bounds the distance of either from the computed path
  double velocity_error = 0, turn_velocity_error = 0;  ///< the same for the velocities that `at` gives; 0 for a twist
};

/// Adds seven (three) numbers to a description.
void append(std::string& text, const Pose& pose);
void append(std::string& text, const Vec3& vector);

class Path {
 public:
  virtual ~Path() = default;

  /// Position and velocity at t in [0, 1], with `o` relative to a point of the world (so that two bodies far from the
  /// origin but near each other lose no precision). Only if `kinematic()`. `Bounds::error` does not include the last
  /// rounding of `o`, below 4 eps (|o - origin| + |v|): the caller, who chooses the origin, must account for it.
  virtual Instant at(double t, const Vec3& origin) const = 0;
  Instant at(double t) const { return at(t, Vec3{}); }
  virtual IntervalPlacement over(const Interval& t) const = 0;
  virtual double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const = 0;
  /// False: a user-defined motion, which has only placements and `travel`.
  virtual bool kinematic() const { return true; }
  virtual Placement placement(double t) const = 0;

  /// The pose at t = 0 (t = 1) where it is one exactly.
  virtual std::optional<Pose> start() const { return std::nullopt; }
  virtual std::optional<Pose> end() const { return std::nullopt; }

  const Bounds& bounds() const { return bounds_; }
  /// Bounds of higher derivatives of the computed path, 2 <= `order`, all over [0, 1]: a point at distance r from the
  /// reference point has |x^(order)| <= reference_derivative(order) + turn_rate()^order r. Infinite if not known.
  virtual double reference_derivative(int) const { return bounds_.twist ? 0 : unknown(); }
  virtual double turn_rate() const { return bounds_.twist ? bounds_.turn_speed : unknown(); }
  /// The reference point, in local coordinates.
  const Vec3& reference() const { return reference_; }
  /// The motion in the format of certificates (docs/certificates.md); empty if it cannot be expressed.
  virtual std::string description() const { return description_; }

  /// The same motion in a world whose lengths are 2^exponent times as large. Its `description` stays that of the
  /// original, because certificates contain only the original lengths. Throws `Error` if a length overflows.
  virtual Motion scaled(int exponent) const = 0;

  /// For a motion that is not a twist but a composition of several rotations; null if not known.
  const DirectedBounds* directed() const { return directed_.get(); }
  /// As `at`, and the axes of the joints if there are `directed` bounds.
  virtual Instant at(double t, const Vec3& origin, JointAxes&) const { return at(t, origin); }

 protected:
  static double unknown() { return std::numeric_limits<double>::infinity(); }

  Bounds bounds_;
  Vec3 reference_;
  std::string description_;
  std::shared_ptr<const DirectedBounds> directed_;
};

/// For `description`: the kind and all numbers of poses and vectors, in full.
template <class... Part>
std::string describe(std::string text, const Part&... parts) {
  (append(text, parts), ...);
  return text;
}

/// Sine and cosine without libm, so with the same bits on every processor; off by less than 2^-50 for |x| <= 2^20.
struct SineCosine {
  double sine, cosine;
};
SineCosine sine_cosine(double x);

}  // namespace graze::motion
