// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "interval.hpp"

namespace verify {

/// A polynomial of t in [0, 1] by its Bernstein coefficients. It is between the least and the largest of them, and so
/// are its derivatives, whose coefficients are n (c[i + 1] - c[i]).
class Course {
 public:
  explicit Course(std::vector<Interval> coefficients) : coefficients_(std::move(coefficients)) {
    std::vector<Interval> c = coefficients_;
    for (Real& most : largest_) {
      for (const Interval& x : c) most = larger(most, x.magnitude());
      for (std::size_t i = 0; i + 1 < c.size(); ++i) c[i] = Interval(Real(c.size() - 1)) * (c[i + 1] - c[i]);
      c.pop_back();
    }
  }

  /// By de Casteljau's scheme.
  Interval at(double t) const {
    std::vector<Interval> c = coefficients_;
    const Interval back = Interval(1) - Interval(t);
    for (std::size_t n = c.size() - 1; n > 0; --n)
      for (std::size_t i = 0; i < n; ++i) c[i] = back * c[i] + Interval(t) * c[i + 1];
    return c[0];
  }

  /// An upper bound of the derivative of this order, 0 to 2, in size.
  Real largest(std::size_t order) const { return largest_[order]; }

 private:
  std::vector<Interval> coefficients_;
  std::array<Real, 3> largest_{};
};

/// A piece of a cubic B-spline between the third and the fourth of six knots: its polar form at these two.
inline Course spline_course(const double* knots, const double* control) {
  for (std::size_t i = 0; i < 5; ++i)
    if (!(knots[i] <= knots[i + 1])) throw Rejected("knots that decrease");
  if (!(knots[2] < knots[3])) throw Rejected("a spline without time");
  std::vector<Interval> c;
  for (std::size_t late = 0; late < 4; ++late) {
    std::array<Interval, 4> d{control[0], control[1], control[2], control[3]};
    for (std::size_t round = 1; round <= 3; ++round) {
      const Interval x(knots[round > 3 - late ? 3 : 2]);
      for (std::size_t k = 3; k >= round; --k) {
        const Interval low(knots[k - 1]), high(knots[k + 3 - round]);
        d[k] = ((high - x) * d[k - 1] + (x - low) * d[k]) / (high - low);
      }
    }
    c.push_back(d[3]);
  }
  return Course(std::move(c));
}

/// "cubic" and "quintic": the times of both ends, and at each the value, the derivative and, for a quintic, the second.
/// "spline": six knots and four control points.
inline Course course_of(std::string_view kind, const double* p) {
  if (kind == "spline") return spline_course(p, p + 6);
  if (!(p[0] < p[1])) throw Rejected("a polynomial without time");
  const Interval h = Interval(p[1]) - Interval(p[0]);
  const Interval q0(p[2]), v0(p[3]);
  if (kind == "cubic") {
    const Interval q1(p[4]), v1(p[5]), third = h / Interval(3);
    return Course({q0, q0 + third * v0, q1 - third * v1, q1});
  }
  const Interval a0(p[4]), q1(p[5]), v1(p[6]), a1(p[7]), fifth = h / Interval(5), square = h * h / Interval(20);
  return Course({q0, q0 + fifth * v0, q0 + Interval(2) * fifth * v0 + square * a0,
                 q1 - Interval(2) * fifth * v1 + square * a1, q1 - fifth * v1, q1});
}

}  // namespace verify
