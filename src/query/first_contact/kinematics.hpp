// SPDX-License-Identifier: MIT
#pragma once

#include "motion/path.hpp"
#include "query/body_data.hpp"

namespace graze::query {

/// Both bodies at one instant, in world axes, seen from a point near them.
struct Moment {
  motion::Instant a, b;
};

/// Two kinematic motions, and what is known of them for all of [0, 1].
class Kinematics {
 public:
  Kinematics(const BodyData& a, const motion::Path& motion_a, const BodyData& b, const motion::Path& motion_b);

  Moment at(double t) const { return {a_.at(t, origin_), b_.at(t, origin_)}; }

  const motion::Path& a() const { return a_; }
  const motion::Path& b() const { return b_; }
  /// Bounds the error of everything that is computed in doubles from a Moment about positions: see the constructor.
  double rounding() const { return rounding_; }
  const Vec3& origin() const { return origin_; }

 private:
  const motion::Path& a_;
  const motion::Path& b_;
  Vec3 origin_;
  double rounding_;
};

/// The largest distance of a point of the box from a point, rounded up.
double farthest(const Box3& box, const Vec3& from);

}  // namespace graze::query
