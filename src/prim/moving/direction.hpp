// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include "prim/moving/frame.hpp"

namespace graze::prim {

/// A part of a span of time, -1 <= lo <= hi <= 1; empty if lo > hi.
struct MovingSpan {
  double lo = -1, hi = 1;
  bool empty() const { return !(lo <= hi); }
  double middle() const { return 0.5 * (lo + hi); }
};

/// The component of d perpendicular to u. The direction between closest points is rounded at the coordinates' last
/// places. So if the points are very close, the direction is not quite perpendicular to the edge that holds one of
/// them, and a long edge extends across it; this restores perpendicularity.
inline Vec3 across(const Vec3& d, const Vec3& u) {
  const double squared = dot(u, u);
  return squared > 0 ? d - u * (dot(d, u) / squared) : d;
}

/// A fixed direction, of any length, and the extent of a set of fixed points along it. Every test of the elementary
/// kernels has this form: two sets that a direction separates have no point in common, whatever the direction. So the
/// rounding of the direction itself does not matter, only that of the products below.
class MovingDirection {
 public:
  explicit MovingDirection(const Vec3& direction)
      : n_(direction), size_(std::sqrt(dot(direction, direction)) * (1 + 0x1p-50)) {}

  void hold(const Vec3& p) {
    const double h = dot(n_, p);
    // Three products and two sums: below 4 eps |n| |p|.
    const double rounding = 0x1p-50 * size_ * std::sqrt(dot(p, p)) + tiny;
    lo_ = std::min(lo_, h - rounding);
    hi_ = std::max(hi_, h + rounding);
  }

  /// Rounded.
  double along(const Vec3& p) const { return dot(n_, p); }
  double lo() const { return lo_; }
  double hi() const { return hi_; }
  /// An upper bound of the direction's length.
  double size() const { return size_; }

  /// A moving point along the direction: c + s l, off by at most r (the rounding of the products included).
  struct Course {
    double c, l, r;
  };
  Course course(const MovingPoint& x) const {
    const double c = dot(n_, x.c), l = dot(n_, x.l);
    return {c, l,
            size_ * (x.r + 0x1p-50 * (std::sqrt(dot(x.c, x.c)) + std::sqrt(dot(x.l, x.l)))) * (1 + 0x1p-50) + tiny};
  }

  /// Is the point certainly beyond all held points, on one side, during the whole span? False for NaN.
  bool above(const Course& x, const MovingSpan& s) const { return least(x, s) > hi_; }
  bool below(const Course& x, const MovingSpan& s) const { return most(x, s) < lo_; }
  bool apart(const Course& x, const MovingSpan& s) const { return above(x, s) || below(x, s); }
  bool apart(const Course& x, const Course& y, const MovingSpan& s) const {
    return (above(x, s) && above(y, s)) || (below(x, s) && below(y, s));
  }

  /// The part of the span outside which c + s l is certainly beyond the held points.
  MovingSpan meeting(const Course& x, const MovingSpan& s) const { return crossing(x, lo_, hi_, s); }

  /// The part of the span outside which a function c + s l, off by at most r, is certainly not in [lo, hi].
  static MovingSpan crossing(const Course& x, double lo, double hi, const MovingSpan& s) {
    // Includes the rounding of the next line.
    const double r = x.r + 0x1p-50 * (std::fabs(x.c) + std::fabs(lo) + std::fabs(hi) + x.r);
    const double below = (lo - r) - x.c, above = (hi + r) - x.c;
    if (!(below <= 0) || !(above >= 0)) {
      // The range does not contain 0: possibly no s reaches it.
      const double reach = std::fabs(x.l) * (1 + 0x1p-50);
      if (below > reach || above < -reach) return {1, -1};
    }
    if (!(std::fabs(x.l) > 0)) return s;
    double first = below / x.l, last = above / x.l;
    if (first > last) std::swap(first, last);
    MovingSpan part = s;
    // A quotient within [-1, 1] is rounded by less than 2^-53. The comparisons are false for NaN and then leave the
    // span unchanged.
    if (first - 0x1p-50 > part.lo) part.lo = first - 0x1p-50;
    if (last + 0x1p-50 < part.hi) part.hi = last + 0x1p-50;
    return part;
  }

 private:
  static constexpr double tiny = 0x1p-1000;  // covers underflow
  static double least(const Course& x, const MovingSpan& s) {
    return (x.c + std::min(x.l * s.lo, x.l * s.hi)) - x.r - rounding(x);
  }
  static double most(const Course& x, const MovingSpan& s) {
    return (x.c + std::max(x.l * s.lo, x.l * s.hi)) + x.r + rounding(x);
  }
  static double rounding(const Course& x) { return 0x1p-50 * (std::fabs(x.c) + std::fabs(x.l) + x.r); }

  Vec3 n_;
  double size_;
  double lo_ = std::numeric_limits<double>::infinity(), hi_ = -std::numeric_limits<double>::infinity();
};

}  // namespace graze::prim
