// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "engine/elementary/difference.hpp"

namespace graze::engine::elementary {

/// The times at which the four points are coplanar: the roots of a cubic f(t) = p . (u x v), p a point of the
/// difference and u, v its edges. Between roots the vertex is on one side of the face's plane, or the edges' lines do
/// not meet: no contact, however the plane rotates. A step to just before the first root is as good as any along a
/// fixed direction, and steps do not become ever shorter where the features rotate.
class Coplanarity {
 public:
  /// Of a vertex and a face, or of two edges.
  Coplanarity(const ElementaryQuery& q, const MovingDifference& d);

  /// True if the origin is certified to start further than this from the plane of the difference.
  bool starts_beyond(double distance) const;

  /// A time after t until which the points are certified not to be coplanar. It is close to the first time at which
  /// they are, or at which the plane is `near` away from the other feature; t itself if none is found, infinity if it
  /// is beyond 1.
  double safe_until(double t, double near) const;

 private:
  double value(double t) const { return ((c_[3] * t + c_[2]) * t + c_[1]) * t + c_[0]; }
  double slope(double t) const { return (3 * c_[3] * t + 2 * c_[2]) * t + c_[1]; }
  bool one_sign(double lo, double hi) const;
  bool never_zero(double lo, double hi, int depth) const;
  double walk(double t, double end) const;
  double first_root(double t) const;
  double root_in(double lo, double f_lo, double hi, double f_hi) const;
  double normal_at(double t) const;

  std::array<Vec3, 3> n_;    ///< u x v
  std::array<double, 4> c_;  ///< f
  double error_;
};

}  // namespace graze::engine::elementary
