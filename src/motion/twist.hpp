// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "motion/interval_matrix.hpp"
#include "motion/path.hpp"

namespace graze::motion {

/// A real rotation given by enclosures: by `angle` about the unit vector `axis`.
struct Turn {
  IntervalVector axis{0, 0, 1};
  Interval angle = 0;
};

/// The rotation of smaller angle that takes one orientation to another, in the world frame. The choice between the two
/// directions is exact. A half turn is about the axis whose first non-zero component is positive.
Turn shorter_turn(const Quat& from, const Quat& to);

/// The rotation that a rotation vector describes.
Turn turn_of(const Vec3& rotation_vector);

/// Every entry of R(q / |q|), enclosed.
IntervalMatrix enclose_rotation(const Quat& q);

/// The parameters from which a rigid motion was constructed; lengths are still to be multiplied by 2^exponent.
/// Sufficient to describe the motion and to construct it again at another scale.
struct Recipe {
  enum class Kind { still, velocity, speeds, screw };
  Kind kind;
  Pose from, to = {};
  Vec3 linear = {}, angular = {}, reference = {};
  int exponent = 0;

  std::string description() const;
  Motion motion() const;
  Motion scaled(int by) const;
};

/// The reference point moves on a straight line and the body rotates about it, both at constant speed: Still, Velocity
/// and, with the reference point on its axis, Screw.
///
///     x(t) = o + t v + Rot(axis, t angle) R0 (x - reference)
///
/// All of o, v, axis, angle and R0 are real numbers known by enclosures; the computed path uses their midpoints.
class Twist : public Path {
 public:
  struct Real {
    Pose from;
    IntervalVector reference{};  ///< local
    IntervalVector offset{};     ///< o - translation of `from`, which is R0 reference
    IntervalVector velocity{};
    Turn turn;
  };
  Twist(const Real& real, std::optional<Pose> end, std::optional<Recipe> recipe = {});

  using Path::at;
  Instant at(double t, const Vec3& origin) const override;
  Placement placement(double t) const override;
  IntervalPlacement over(const Interval& t) const override;
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override;
  std::optional<Pose> start() const override { return real_.from; }
  std::optional<Pose> end() const override { return end_; }
  std::string description() const override { return recipe_ ? recipe_->description() : std::string(); }
  /// Requires a recipe.
  Motion scaled(int exponent) const override { return recipe_.value().scaled(exponent); }

 private:
  std::array<double, 9> rotation(double t) const;

  // R(t) = R0 + sin(t angle) sway - (1 - cos(t angle)) swing: the form of FAST 4.1, written so that a poorly known axis
  // does no harm when the angle is tiny.
  Real real_;
  std::optional<Pose> end_;
  std::optional<Recipe> recipe_;
  IntervalMatrix r0_real_, sway_real_, swing_real_;
  std::array<double, 9> r0_, sway_, swing_;
  Vec3 offset_, velocity_, angular_;
  double angle_ = 0;
};

}  // namespace graze::motion
