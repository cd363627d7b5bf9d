// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include "body/body_data.hpp"
#include "math/vectors.hpp"
#include "motion/path.hpp"

namespace graze::engine::first_contact {

using math::scaled_length;

/// `scaled_length`, faster where the square of the length is in range.
inline double length_at_any_scale(const Vec3& v) {
  const double square = dot(v, v);
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : scaled_length(v);
}

/// Squares of lengths lose 2^-1074 where they underflow, so a distance computed as a root may be off by 2^-537;
/// directions and products of such squares by less, because they are scaled first. Distances below this are not
/// distinguished from zero: tolerances are larger, and scenes this small are scaled first (scaled_question.hpp).
constexpr double underflow_bound = 0x1p-450;

/// Both bodies at one instant, along world axes, relative to a point near them.
struct Moment {
  Moment() = default;
  Moment(const motion::Path& path_a, const motion::Path& path_b, double time, const Vec3& origin)
      : a(path_a.at(time, origin, axes_a)), b(path_b.at(time, origin, axes_b)), t(time) {}

  motion::JointAxes axes_a, axes_b;  ///< set where a path has directed bounds
  motion::Instant a, b;
  double t = 0;
};

/// Two kinematic motions, and bounds that hold for all of [0, 1].
class Kinematics {
 public:
  Kinematics(const body::BodyData& a, const motion::Path& motion_a, const body::BodyData& b,
             const motion::Path& motion_b);

  Moment at(double t) const { return {a_, b_, t, origin_}; }

  const motion::Path& a() const { return a_; }
  const motion::Path& b() const { return b_; }
  /// Bounds the error of all positions that are computed in doubles from a Moment: see the constructor.
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

}  // namespace graze::engine::first_contact
