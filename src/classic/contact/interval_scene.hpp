// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <graze/math/box3.hpp>

#include "prim/moving/frame.hpp"

namespace graze::classic::contact {

/// Both relative motions during a span of time. Points are relative to their body's reference point, in scaled units.
class IntervalFrames {
 public:
  prim::MovingFrame b_in_a;
  /// Only some of the elementary tests need this one; computed on first use.
  const prim::MovingFrame& a_in_b() const;

 private:
  friend class IntervalScene;
  double lo_ = 2, hi_ = 0;
  double local_error_ = 0;
  prim::MovingFrame a_, b_;  // in the world
  mutable prim::MovingFrame a_in_b_;
  mutable bool has_a_in_b_ = false;
};

/// The data of one query of method `interval` about the flight: units, reference points, the speed of each point, and
/// the relative motions over spans of time. These are cached, because boxes, triangles and features all use the same
/// few spans.
class IntervalScene {
 public:
  /// The boxes contain the bodies, each in its own frame.
  IntervalScene(const motion::Path& a, const Box3& box_a, const motion::Path& b, const Box3& box_b, double tolerance,
                double rounding);

  double tolerance, rounding;  ///< in scaled units
  Vec3 local_a(const Vec3& x) const { return x * units_.scale - reference_a_; }
  Vec3 local_b(const Vec3& x) const { return x * units_.scale - reference_b_; }
  Vec3 unscaled_a(const Vec3& y) const { return (y + reference_a_) * (1 / units_.scale); }
  Vec3 unscaled_b(const Vec3& y) const { return (y + reference_b_) * (1 / units_.scale); }
  double scale() const { return units_.scale; }
  const Vec3& origin() const { return units_.origin; }

  /// Valid until the next call.
  const IntervalFrames& over(double lo, double hi);

  /// Positions of corners (from `local_a` and `local_b`) at t, in the world except for the origin; rounded.
  struct Placed {
    std::array<Vec3, 3> a, b;
  };
  Placed place(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double t) const;

  /// Do both motions have velocities, so that speeds are known in advance?
  bool kinematic() const { return kinematic_; }
  /// The largest speed of a point in [0, 1] (eq. 11: s and w times the distance from the axis); rounded.
  double speed_a(const Vec3& y) const { return body_a_.speed(y); }
  double speed_b(const Vec3& y) const { return body_b_.speed(y); }
  /// An upper bound of the rotation of both bodies together per unit of time; 0 if it is not known.
  double turn() const { return body_a_.turn + body_b_.turn; }

 private:
  struct Speeds {
    double shift = 0, turn = 0;
    Vec3 axis;  ///< unit, in the body's frame; zero: measure distances from the reference point
    double speed(const Vec3& y) const {
      const Vec3 across = y - dot(axis, y) * axis;
      return shift + turn * std::sqrt(dot(across, across));
    }
  };
  Speeds speeds(const motion::Path& path) const;
  struct Place {
    std::array<double, 9> r;
    Vec3 o;
    Vec3 apply(const Vec3& y) const {
      return {r[0] * y.x + r[1] * y.y + r[2] * y.z + o.x, r[3] * y.x + r[4] * y.y + r[5] * y.z + o.y,
              r[6] * y.x + r[7] * y.y + r[8] * y.z + o.z};
    }
  };
  Place place(const motion::Path& path, double t) const;

  const motion::Path& a_;
  const motion::Path& b_;
  prim::MovingUnits units_;
  Vec3 reference_a_, reference_b_;
  double local_error_ = 0;  ///< of local_a and local_b together
  bool kinematic_;
  Speeds body_a_, body_b_;
  std::vector<IntervalFrames> known_;
};

}  // namespace graze::classic::contact
