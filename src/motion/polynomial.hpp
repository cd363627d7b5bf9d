// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <graze/math/interval.hpp>

namespace graze::motion {

/// A real polynomial over [0, 1] whose Bernstein coefficients are known by enclosures. The polynomial that `value`
/// computes has their middles as coefficients.
class Polynomial {
 public:
  static constexpr std::size_t most_degree = 5;

  Polynomial() : Polynomial(std::array{Interval(0)}) {}
  /// At least one coefficient, at most six.
  explicit Polynomial(std::span<const Interval> bernstein);
  static Polynomial linear(const Interval& first, const Interval& last) { return Polynomial(std::array{first, last}); }

  std::size_t degree() const { return degree_; }
  std::span<const Interval> coefficients() const { return {c_.data(), degree_ + 1}; }
  const Interval& first() const { return c_[0]; }
  const Interval& last() const { return c_[degree_]; }
  /// All coefficients are the same number.
  bool constant() const;
  /// Contains all values: a polynomial is between its least and its largest Bernstein coefficient.
  const Interval& range() const { return range_; }

  /// Rounded values of the polynomial and of its derivative, t in [0, 1].
  double value(double t) const;
  double slope(double t) const;
  /// How far these are at most from the real ones.
  double value_error() const { return value_error_; }
  double slope_error() const { return slope_error_; }
  /// Upper bounds of the first and the second derivative on [0, 1].
  double fastest() const { return fastest_; }
  double sharpest() const { return sharpest_; }

  /// All values for these t, which are within [0, 1].
  Interval over(const Interval& t) const;
  /// The same polynomial as one of s, where t = t0 + s (t1 - t0).
  Polynomial part(double t0, double t1) const;
  /// factor p + offset.
  Polynomial followed(const Interval& factor, const Interval& offset) const;

 private:
  using Coefficients = std::array<Interval, most_degree + 1>;

  std::size_t degree_ = 0;
  Coefficients c_{};
  std::array<double, most_degree + 1> middles_{}, slopes_{};
  Interval range_;
  double value_error_ = 0, slope_error_ = 0, fastest_ = 0, sharpest_ = 0;
};

}  // namespace graze::motion
