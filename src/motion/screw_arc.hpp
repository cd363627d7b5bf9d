// SPDX-License-Identifier: MIT
#pragma once

#include "motion/twist.hpp"

namespace graze::motion {

/// A screw with a rotation so small that its axis is far away. The body's origin follows an arc, expressed by its
/// chord, so that the straight line is the limit and no large numbers cancel.
///
///     p(t) = t d + (k cos b - t) d' - k sin b (u x d'),
///     k = sin(t angle / 2) / sin(angle / 2),   b = (1 - t) angle / 2
///
/// where d joins the two translations and d' is its component perpendicular to the axis u. The reference point is the
/// local origin.
class ScrewArc : public Path {
 public:
  /// The angle must be below 0.25.
  ScrewArc(const Pose& from, const Pose& to, const Turn& turn, const Recipe& recipe);

  using Path::at;
  Instant at(double t, const Vec3& origin) const override;
  Placement placement(double t) const override;
  IntervalPlacement over(const Interval& t) const override;
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override;
  double reference_derivative(int order) const override;
  double turn_rate() const override { return bounds_.turn_speed; }
  std::optional<Pose> start() const override { return from_; }
  std::optional<Pose> end() const override { return to_; }
  std::string description() const override { return recipe_.description(); }
  Motion scaled(int exponent) const override { return recipe_.scaled(exponent); }

 private:
  IntervalVector arc(const Interval& t) const;
  IntervalVector arc_velocity(const Interval& t) const;

  Pose from_, to_;
  Recipe recipe_;
  Twist turning_;  ///< the same rotation about the local origin, which stays fixed
  Turn turn_;
  IntervalVector chord_, across_, beside_;  ///< d, d', u x d'
  Vec3 chord_mid_, across_mid_, beside_mid_, along_mid_;
  double angle_ = 0;
};

}  // namespace graze::motion
