// SPDX-License-Identifier: MIT
#pragma once

#include "motion/interval_matrix.hpp"
#include "motion/path.hpp"
#include "motion/polynomial.hpp"

namespace graze::motion {

/// First `b`, then `a`: both placements are known by enclosures.
IntervalPlacement composed(const IntervalPlacement& a, const IntervalPlacement& b);

/// A single joint that moves, between two placements that stay:
///
///     x(t) = anchor + before (Rot(axis, angle + g turn) (after x) + axis (slide + g shift))
///
/// All but the anchor are real numbers known by enclosures. Without a `course`, g = t: rotation about an axis that
/// stays and sliding along it, both at constant speed, a twist, whose reference point is on the axis. With a `course`,
/// g is that polynomial of t; the reference point is the same, but this is no twist. Without any motion it is a
/// placement that stays.
class JointPath : public Path {
 public:
  struct Real {
    Vec3 anchor;  ///< apart from `before`, so that a base far from the world's origin costs no accuracy
    IntervalPlacement before, after;
    IntervalVector axis{0, 0, 1};  ///< of length one, in the frame of `before`
    Interval angle = 0, turn = 0;
    Interval slide = 0, shift = 0;
    std::optional<Polynomial> course = {};
    std::optional<Pose> start = {}, end = {};
    std::string description = {};
  };
  explicit JointPath(const Real& real);

  using Path::at;
  Instant at(double t, const Vec3& origin) const override;
  Placement placement(double t) const override;
  IntervalPlacement over(const Interval& t) const override;
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override;
  std::optional<Pose> start() const override { return real_.start; }
  std::optional<Pose> end() const override { return real_.end; }

  JointPath enlarged(int exponent) const;
  Motion scaled(int exponent) const override;

  /// `bounds()` with velocity errors that hold against the real velocities.
  const Bounds& real_bounds() const { return real_bounds_; }
  /// The direction of the axis in the frame before it, about of length one, and how far it may be from the real one.
  Vec3 axis() const { return middle(along_); }
  double axis_error() const { return radius(along_); }
  bool curved() const { return real_.course.has_value(); }
  /// The ends of the straight line on which the reference point moves.
  std::array<Vec3, 2> reference_line() const;
  /// Upper bounds of the angular acceleration and of the acceleration along the axis; 0 without a course.
  double turn_bend() const { return turn_bend_; }
  double slide_bend() const { return slide_bend_; }

 private:
  void set_terms();
  void set_bounds();
  std::array<double, 9> rotation(double g) const;
  double course(double t) const { return real_.course ? real_.course->value(t) : t; }

  // Places of the three axes and of the local origin, a 3 x 4 matrix without the anchor, are
  //   swing cos(angle(t)) + sway sin(angle(t)) + rest + (0 | along slide(t)).
  using Terms = std::array<Interval, 12>;
  Real real_;
  Terms swing_, sway_, rest_;  ///< 3 x 3 row by row, then the origin
  IntervalVector along_;
  bool turns_;
  std::array<double, 9> swing_mid_, sway_mid_, rest_mid_;
  IntervalVector residue_{};  ///< from the axis to the reference point, which is a double and so not quite on it
  Vec3 origin_, velocity_, angular_;
  double angle_, turn_, turn_bend_ = 0, slide_bend_ = 0;
  Bounds real_bounds_;
};

}  // namespace graze::motion
