// SPDX-License-Identifier: MIT
#include "active_set.hpp"

#include <cmath>
#include <limits>

namespace graze::play {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// An orthonormal basis of the active rows, in the order in which they became active (modified Gram-Schmidt, done
/// twice: orthogonal to rounding), and the triangle that expresses the rows in it.
class Basis {
 public:
  explicit Basis(std::size_t columns) : columns_(columns) {}

  std::size_t size() const { return triangle_.size(); }

  /// The part of g that is orthogonal to the active rows; `within` gets the coordinates of the rest in the basis.
  void split(std::span<const double> g, std::vector<double>& outside, std::vector<double>& within) const {
    outside.assign(g.begin(), g.end());
    within.assign(size(), 0);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < size(); ++i) {
        const double along = dot(axis(i), outside);
        within[i] += along;
        for (std::size_t k = 0; k < columns_; ++k) outside[k] -= along * axis(i)[k];
      }
  }

  /// Coordinates in the basis to coefficients of the rows.
  void solve(std::vector<double>& coordinates) const {
    for (std::size_t i = size(); i-- > 0;) {
      for (std::size_t j = i + 1; j < size(); ++j) coordinates[i] -= triangle_[j][i] * coordinates[j];
      coordinates[i] /= triangle_[i][i];
    }
  }

  /// Adds a row, given by its parts as `split` found them.
  void add(const std::vector<double>& outside, std::vector<double> within) {
    const double size = std::sqrt(dot(outside, outside));
    for (const double value : outside) axes_.push_back(value / size);
    within.push_back(size);
    triangle_.push_back(std::move(within));
  }

  void clear() {
    axes_.clear();
    triangle_.clear();
  }

 private:
  std::span<const double> axis(std::size_t i) const { return {axes_.data() + i * columns_, columns_}; }

  std::size_t columns_;
  std::vector<double> axes_;
  std::vector<std::vector<double>> triangle_;  // by row: its coordinates in the basis
};

/// Goldfarb and Idnani, "A numerically stable dual method for solving strictly convex quadratic programs" (1983), for
/// the objective 1/2 |x|^2.
class Search {
 public:
  Search(std::span<const double> rows, std::size_t columns, std::span<const double> h)
      : rows_(rows), columns_(columns), h_(h), x_(columns, 0), basis_(columns) {
    result_.multipliers.assign(h.size(), 0);
  }

  NearestPoint run() {
    const std::size_t most = 100 + 20 * (h_.size() + columns_);
    while (result_.steps < most) {
      const std::size_t worst = most_violated();
      if (worst == h_.size()) {
        result_.solved = true;
        break;
      }
      if (!satisfy(worst, most)) break;
    }
    return std::move(result_);
  }

 private:
  std::span<const double> row(std::size_t i) const { return rows_.subspan(i * columns_, columns_); }

  std::size_t most_violated() const {
    std::size_t worst = h_.size();
    double most = 0;
    for (std::size_t i = 0; i < h_.size(); ++i) {
      const double size = std::sqrt(dot(row(i), row(i)));
      const double slack = dot(row(i), x_) - h_[i];
      // What rounding may leave of a constraint that holds.
      if (!(slack < -1e-13 * (size * std::sqrt(dot(x_, x_)) + std::fabs(h_[i])))) continue;
      const double depth = size > 0 ? -slack / size : never;
      if (depth > most) most = depth, worst = i;
    }
    return worst;
  }

  /// Moves along the dual until constraint p holds; false if it cannot.
  bool satisfy(std::size_t p, std::size_t most) {
    const double square = dot(row(p), row(p));
    while (result_.steps++ < most) {
      basis_.split(row(p), outside_, within_);
      const std::vector<double> coordinates = within_;
      basis_.solve(within_);
      const double reach = dot(outside_, outside_);
      const bool independent = reach > 1e-20 * square;
      const double full = independent ? (h_[p] - dot(row(p), x_)) / reach : never;
      // How far until the multiplier of an active row would become negative.
      double step = full;
      std::size_t leaves = active_.size();
      for (std::size_t i = 0; i < active_.size(); ++i) {
        if (!(within_[i] > 0)) continue;
        const double until = result_.multipliers[active_[i]] / within_[i];
        if (until < step) step = until, leaves = i;
      }
      if (!(step < never)) return false;
      for (std::size_t i = 0; i < active_.size(); ++i) {
        double& u = result_.multipliers[active_[i]];
        u = std::fmax(0, u - step * within_[i]);
      }
      result_.multipliers[p] += step;
      if (leaves == active_.size()) {
        basis_.add(outside_, coordinates);
        active_.push_back(p);
        place();
        return true;
      }
      result_.multipliers[active_[leaves]] = 0;
      active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(leaves));
      rebuild();
      place();
    }
    return false;
  }

  void rebuild() {
    basis_.clear();
    for (const std::size_t i : active_) {
      basis_.split(row(i), outside_, within_);
      basis_.add(outside_, within_);
    }
  }

  /// x from the multipliers: no error accumulates.
  void place() {
    x_.assign(columns_, 0);
    for (std::size_t i = 0; i < h_.size(); ++i)
      if (const double u = result_.multipliers[i]; u != 0)
        for (std::size_t k = 0; k < columns_; ++k) x_[k] += u * row(i)[k];
  }

  std::span<const double> rows_;
  std::size_t columns_;
  std::span<const double> h_;
  std::vector<double> x_, outside_, within_;
  std::vector<std::size_t> active_;
  Basis basis_;
  NearestPoint result_;
};

}  // namespace

NearestPoint nearest_point(std::span<const double> rows, std::size_t columns, std::span<const double> h) {
  return Search(rows, columns, h).run();
}

}  // namespace graze::play
