// SPDX-License-Identifier: MIT
#include "motion/polynomial.hpp"

#include <algorithm>
#include <limits>

#include "math/vectors.hpp"
#include "motion/interval_matrix.hpp"

namespace graze::motion {

namespace {

constexpr double underflow = 64 * std::numeric_limits<double>::denorm_min();

double largest_of(std::span<const Interval> c) {
  double most = 0;
  for (const Interval& x : c) most = std::max(most, x.magnitude());
  return most;
}
double widest_of(std::span<const Interval> c) {
  double most = 0;
  for (const Interval& x : c) most = std::max(most, radius(x));
  return most;
}

/// De Casteljau's scheme. Each of its steps is off by less than 4 eps of the largest coefficient, and errors of the
/// steps before are only averaged.
double evaluate(const double* c, std::size_t degree, double t) {
  std::array<double, Polynomial::most_degree + 1> x;
  std::copy_n(c, degree + 1, x.begin());
  const double back = 1 - t;
  for (std::size_t n = degree; n > 0; --n)
    for (std::size_t i = 0; i < n; ++i) x[i] = back * x[i] + t * x[i + 1];
  return x[0];
}

double rounding(std::size_t degree, double largest) {
  return (4 * static_cast<double>(degree) * math::eps * largest) * (1 + 0x1p-40) + underflow;
}

/// The polar form with the last `late` arguments t1 and the others t0.
Interval polar(std::span<const Interval> c, std::size_t late, const Interval& t0, const Interval& t1) {
  std::array<Interval, Polynomial::most_degree + 1> x;
  std::copy(c.begin(), c.end(), x.begin());
  for (std::size_t n = c.size() - 1; n > 0; --n) {
    const Interval& t = n <= late ? t1 : t0;
    const Interval back = Interval(1) - t;
    for (std::size_t i = 0; i < n; ++i) x[i] = back * x[i] + t * x[i + 1];
  }
  return x[0];
}

}  // namespace

Polynomial::Polynomial(std::span<const Interval> bernstein) : degree_(bernstein.size() - 1) {
  std::copy(bernstein.begin(), bernstein.end(), c_.begin());
  range_ = c_[0];
  for (const Interval& c : bernstein) range_ = hull(range_, c);
  // The derivative of a polynomial of degree n has the Bernstein coefficients n (c_{i+1} - c_i).
  Coefficients slopes, bends;
  const Interval n(static_cast<double>(degree_)), n_less(static_cast<double>(degree_) - 1);
  for (std::size_t i = 0; i < degree_; ++i) slopes[i] = n * (c_[i + 1] - c_[i]);
  for (std::size_t i = 0; i + 1 < degree_; ++i) bends[i] = n_less * (slopes[i + 1] - slopes[i]);
  for (std::size_t i = 0; i <= degree_; ++i) middles_[i] = middle(c_[i]);
  for (std::size_t i = 0; i < degree_; ++i) slopes_[i] = middle(slopes[i]);
  value_error_ = widest_of(coefficients()) + rounding(degree_, range_.magnitude());
  if (degree_ == 0) return;
  const std::span<const Interval> all_slopes(slopes.data(), degree_);
  fastest_ = largest_of(all_slopes);
  slope_error_ = widest_of(all_slopes) + rounding(degree_ - 1, fastest_);
  if (degree_ > 1) sharpest_ = largest_of({bends.data(), degree_ - 1});
}

bool Polynomial::constant() const {
  return range_.lo == range_.hi;  // then every coefficient is this number
}

double Polynomial::value(double t) const { return evaluate(middles_.data(), degree_, t); }
double Polynomial::slope(double t) const { return degree_ == 0 ? 0 : evaluate(slopes_.data(), degree_ - 1, t); }

Interval Polynomial::over(const Interval& t) const {
  Interval all = polar(coefficients(), 0, t.lo, t.hi);
  for (std::size_t i = 1; t.lo != t.hi && i <= degree_; ++i) all = hull(all, polar(coefficients(), i, t.lo, t.hi));
  return intersection(all, range_);
}

Polynomial Polynomial::part(double t0, double t1) const {
  Coefficients c;
  for (std::size_t i = 0; i <= degree_; ++i)
    c[i] = intersection(polar(coefficients(), i, Interval(t0), Interval(t1)), range_);
  return Polynomial({c.data(), degree_ + 1});
}

Polynomial Polynomial::followed(const Interval& factor, const Interval& offset) const {
  Coefficients c;
  for (std::size_t i = 0; i <= degree_; ++i) c[i] = factor * c_[i] + offset;
  return Polynomial({c.data(), degree_ + 1});
}

}  // namespace graze::motion
