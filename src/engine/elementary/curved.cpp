// SPDX-License-Identifier: MIT
// Directed advancement along polynomial paths: docs/methods/elementary.md.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <graze/ask/elementary.hpp>

#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "engine/elementary/curved.hpp"
#include "engine/elementary/difference.hpp"
#include "engine/elementary/method.hpp"
#include "engine/elementary/scaling.hpp"
#include "engine/elementary/touch_now.hpp"
#include "math/vectors.hpp"

namespace graze {
namespace {

using math::infinity;
using math::norm;
using math::not_a_number;

constexpr std::size_t most_degree = 16;

Vec3 unit(const Vec3& v) {
  const double size = norm(v);
  return size > 0 ? v * (1 / size) : Vec3{};
}

/// The control points of one point's path, of a degree up to `most`.
template <std::size_t most>
using Path = std::array<Vec3, most + 1>;

/// The path from t on, or until t: de Casteljau. Entry k of row r is the mean of control points k to k + r, and the
/// entries that include the last control point are the control points from t on.
template <std::size_t most>
void keep_after(Path<most>& p, std::size_t degree, double t) {
  const double before = 1 - t;
  for (std::size_t r = 1; r <= degree; ++r)
    for (std::size_t k = 0; k + r <= degree; ++k) p[k] = p[k] * before + p[k + 1] * t;
}
template <std::size_t most>
void keep_until(Path<most>& p, std::size_t degree, double t) {
  const double back = 1 - t, before = 1 - back;  // as if the path were reversed
  for (std::size_t r = 1; r <= degree; ++r)
    for (std::size_t k = degree; k >= r; --k) p[k] = p[k] * before + p[k - 1] * back;
}

/// The points of the difference of two features (see MovingDifference) along their curves. With `fixed`, the degree is
/// `most`, which lets the compiler unroll its loops.
template <std::size_t most, bool fixed>
class CurvedDifference {
 public:
  using Path = graze::Path<most>;

  explicit CurvedDifference(const CurvedElementaryQuery& q) : kind_(q.kind), degree_(q.control.size() - 1) {
    auto& pairs = pairs_;
    count_ = static_cast<std::size_t>(engine::elementary::difference_points(q.kind, pairs));
    double far2 = 0, size2 = 0;
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t k = 0; k <= degree(); ++k) {
        path_[i][k] = q.control[k][pairs[i][0]] - q.control[k][pairs[i][1]];
        const Vec3 displacement = path_[i][k] - path_[i][0];
        far2 = std::max(far2, dot(path_[i][k], path_[i][k]));
        size2 = std::max(size2, dot(displacement, displacement));
        if (i > 0) {
          const Vec3 edge = path_[i][0] - path_[i - 1][0];
          size2 = std::max(size2, dot(edge, edge));
        }
      }
    size = std::sqrt(size2);
    largest = std::sqrt(far2);
    // Rounding: differences are rounded once; two de Casteljau subdivisions of d levels, whose means stay among the
    // control points and are rounded three times each, their parameter once, at speeds of up to 2 d of the largest
    // distance; a projection on a unit vector and later operations as for straight paths: below 32 (d + 1) eps of it.
    rounding = 32 * static_cast<double>(degree() + 1) * 0x1p-53 * largest + std::numeric_limits<double>::min();
  }

  std::size_t degree() const { return fixed ? most : degree_; }
  std::size_t count() const { return count_; }
  ElementaryKind kind() const { return kind_; }
  /// How much of a point of the difference the closest one has.
  double weight(const engine::elementary::ClosestDifference& closest, std::size_t i) const {
    return closest.weights[pairs_[i][0]] * closest.weights[pairs_[i][1]];
  }
  void at(double t, std::array<Vec3, 4>& p) const {
    for (std::size_t i = 0; i < count_; ++i) {
      Path q = path_[i];
      keep_after<most>(q, degree(), t);
      p[i] = q[0];
    }
  }
  /// Control points of the part from t to `end`.
  void between(double t, double end, std::array<Path, 4>& p) const {
    for (std::size_t i = 0; i < count_; ++i) {
      p[i] = path_[i];
      if (t > 0) keep_after<most>(p[i], degree(), t);
      if (end < 1) keep_until<most>(p[i], degree(), (end - t) / (1 - t));
    }
  }

  double size, largest, rounding;

 private:
  ElementaryKind kind_;
  std::size_t degree_, count_;
  std::array<std::array<std::size_t, 2>, 4> pairs_{};
  std::array<Path, 4> path_;
};

/// Of the coefficient i + j of a product of two polynomials in Bernstein form, how much the coefficients i and j give:
/// C(d, i) C(d, j) / C(2 d, i + j), for degrees d of up to `most`.
template <std::size_t most>
struct ProductWeights {
  explicit ProductWeights(std::size_t degree) {
    const auto choose = [](std::size_t n, std::size_t k) {
      double c = 1;  // whole numbers below 2^53 for n up to 32
      for (std::size_t i = 0; i < k; ++i) c = c * static_cast<double>(n - i) / static_cast<double>(i + 1);
      return c;
    };
    for (std::size_t i = 0; i <= degree; ++i)
      for (std::size_t j = 0; j <= degree; ++j)
        of[i][j] = choose(degree, i) * choose(degree, j) / choose(2 * degree, i + j);
  }
  std::array<std::array<double, most + 1>, most + 1> of;
};

struct Moment {
  double t;
  engine::elementary::ClosestDifference closest;
  double gap;
  Vec3 n;
};

template <class Difference>
class CurvedAdvance {
 public:
  CurvedAdvance(const Difference& d, double tolerance, const ElementaryOptions& options, ElementaryResult& r)
      : d_(d),
        options_(options),
        r_(r),
        near_(options.min_separation + tolerance),
        stop_(options.min_separation + 0.5 * tolerance + d.rounding),
        beyond_(options.min_separation + 2 * d.rounding) {
    r_.tolerance = tolerance;
  }

  void run() {
    Moment now = look(0);
    for (;;) {
      ++r_.steps;
      if (now.gap + d_.rounding <= near_) return finish_contact(now);
      if ((options_.work != 0 && r_.steps > options_.work) || (r_.steps % 64 == 0 && core::stop_requested())) {
        r_.status = Status::undecided;
        r_.time = {now.t, not_a_number};
        return;
      }
      double next = along_fixed(now);
      if (!(next > now.t)) {
        now.n = engine::elementary::best_direction(std::span(here_).first(d_.count()), now.n);
        next = along_fixed(now);
      }
      if (next > 1) return finish_free();
      if (next - now.t < 0.25 * (1 - now.t)) {
        auto turned = along_turning(now, next);
        // Where steps are short because the distance hardly changes, the closest points themselves know the direction.
        if (r_.steps > 8 && (!turned || turned->t - now.t < 0.25 * (1 - now.t)))
          if (const auto followed = along_closest(now, turned ? turned->t : next)) turned = followed;
        if (turned) {
          if (turned->t >= 1 && turned->gap > near_) return finish_free();
          step_ = turned->t - now.t;
          now = *turned;
          continue;
        }
      }
      if (!(next > now.t)) return finish_contact(now);  // no step is certified: as near as double precision can resolve
      step_ = next - now.t;
      now = look(next);
    }
  }

 private:
  Moment look(double t) {
    d_.at(t, here_);
    Moment m{t, engine::elementary::closest_difference(d_.kind(), here_), 0, {}};
    m.gap = norm(m.closest.point);
    m.n = unit(m.closest.direction);
    return m;
  }

  /// Along a fixed n a point's distance is a polynomial, nowhere below the lower convex hull of its Bernstein
  /// coefficients: it stays above the target until the first line between two of them reaches the target. (For degree
  /// 1: one division.)
  double along_fixed(const Moment& now) {
    if (now.t >= 1) return now.gap > near_ ? infinity : 1;
    d_.between(now.t, 1, part_);
    const std::size_t degree = d_.degree();
    double share = infinity;
    bool free = true;
    for (std::size_t i = 0; i < d_.count(); ++i) {
      std::array<double, most_degree + 1> b;
      for (std::size_t k = 0; k <= degree; ++k) {
        b[k] = dot(now.n, part_[i][k]);
        free = free && b[k] > beyond_;
      }
      if (!(b[0] > stop_)) share = 0;
      for (std::size_t k = 1; k <= degree; ++k)
        for (std::size_t j = 0; j < k && b[k] < stop_; ++j)
          if (b[j] > stop_)
            share =
                std::min(share, (static_cast<double>(j) + (b[j] - stop_) / (b[j] - b[k]) * static_cast<double>(k - j)) /
                                    static_cast<double>(degree));
    }
    if (free) return infinity;
    return std::min(1.0, next_down(now.t + (1 - now.t) * std::min(share, 1.0) * (1 - 0x1p-50)));
  }

  /// A direction that changes linearly from n0 to n1: its product with a path of degree d is a polynomial of degree d +
  /// 1, with the Bernstein coefficients ((d + 1 - k) n0.p[k] + k n1.p[k-1]) / (d + 1).
  bool turning_separates(const Moment& from, const Moment& to) {
    d_.between(from.t, to.t, part_);
    const std::size_t degree = d_.degree();
    const double whole = static_cast<double>(degree + 1);
    for (std::size_t i = 0; i < d_.count(); ++i)
      for (std::size_t k = 0; k <= degree + 1; ++k) {
        const double first = k <= degree ? (whole - static_cast<double>(k)) * dot(from.n, part_[i][k]) : 0;
        const double second = k > 0 ? static_cast<double>(k) * dot(to.n, part_[i][k - 1]) : 0;
        if (!((first + second) / whole > beyond_)) return false;
      }
    return true;
  }

  /// The latest of a few times, beyond `least`, up to which a linearly changing direction separates.
  std::optional<Moment> along_turning(const Moment& now, double least) {
    double h = std::min(1 - now.t, 4 * std::max(step_, least - now.t));
    for (int tries = 0; tries < 8 && now.t + h > least; ++tries, h *= 0.25) {
      const Moment m = look(h < 1 - now.t ? now.t + h : 1.0);
      if (turning_separates(now, m)) return m;
    }
    return std::nullopt;
  }

  /// The points that are the closest now, with their weights, give the polynomial direction p. A point d of the
  /// difference is farther than s from the origin along p if d . p > s |p|, and |p| is at most (|p|^2 + m^2) / (2 m)
  /// for any m: with its length now that is nearly |p| as long as the distance hardly changes. Both sides are
  /// polynomials of twice the degree. The computed p is what it is; the points d are off by `rounding`, which `beyond_`
  /// has twice. So one of these is left for products and sums, which are off by less than 30 eps of the largest terms.
  bool closest_separates(const Moment& from, double end) {
    d_.between(from.t, end, part_);
    const std::size_t degree = d_.degree();
    typename Difference::Path p{};
    double longest = 0;
    for (std::size_t k = 0; k <= degree; ++k) {
      for (std::size_t i = 0; i < d_.count(); ++i) p[k] = p[k] + part_[i][k] * d_.weight(from.closest, i);
      longest = std::max(longest, norm(p[k]));
    }
    const double m = norm(p[0]);
    if (!(m > 0x1p-400)) return false;
    if (!weights_) weights_.emplace(degree);
    const auto product = [&](const auto& a, std::size_t k) {
      double sum = 0;
      for (std::size_t i = k > degree ? k - degree : 0; i <= std::min(k, degree); ++i)
        sum += weights_->of[i][k - i] * dot(a[i], p[k - i]);
      return sum;
    };
    const double rounded = 0.5 * d_.rounding * longest;
    for (std::size_t k = 0; k <= 2 * degree; ++k) {
      const double needed =
          beyond_ * ((product(p, k) + m * m) / (2 * m)) + rounded + 0x1p-46 * beyond_ * (longest * longest / m + m);
      for (std::size_t i = 0; i < d_.count(); ++i)
        if (!(product(part_[i], k) > needed)) return false;
    }
    return true;
  }

  /// The latest of a few times, beyond `least`, up to which that direction separates.
  std::optional<Moment> along_closest(const Moment& now, double least) {
    double h = 1 - now.t;
    for (int tries = 0; tries < 12 && now.t + h > least; ++tries, h *= 0.25)
      if (const double end = h < 1 - now.t ? now.t + h : 1.0; closest_separates(now, end)) return look(end);
    return std::nullopt;
  }

  void finish_free() {
    r_.status = Status::free;
    r_.time = {1, not_a_number};
    r_.gap = not_a_number;
  }
  void finish_contact(const Moment& m) {
    r_.status = Status::contact;
    r_.time = {m.t, m.t};
    r_.gap = m.gap;
    r_.weights = m.closest.weights;
  }

  const Difference& d_;
  std::array<typename Difference::Path, 4> part_;
  const ElementaryOptions& options_;
  ElementaryResult& r_;
  double near_, stop_, beyond_;
  double step_ = 1;  ///< the last step
  std::optional<ProductWeights<std::tuple_size_v<typename Difference::Path> - 1>> weights_;
  std::array<Vec3, 4> here_{};
};

std::optional<ErrorCode> mistake(const CurvedElementaryQuery& q, const ElementaryOptions& o) {
  if (o.method != "advancement" || o.exact) return ErrorCode::unsupported;
  if (q.control.size() < 2 || q.control.size() > most_degree + 1) return ErrorCode::bad_option;
  if (o.tolerance && !(*o.tolerance > 0 && std::isfinite(*o.tolerance))) return ErrorCode::bad_option;
  if (!(o.min_separation >= 0 && std::isfinite(o.min_separation))) return ErrorCode::bad_option;
  for (const auto& points : q.control)
    for (const Vec3& p : points)
      if (!is_finite(p)) return ErrorCode::not_finite;
  return std::nullopt;
}

/// As for straight paths: a start within the tolerance uses half its distance as tolerance, if that exceeds the
/// rounding error. `start`: the first control points as given, before any scaling.
template <class Difference>
void answer_curved(const CurvedElementaryQuery& q, const std::array<Vec3, 4>& start, const ElementaryOptions& options,
                   ElementaryResult& r) {
  const Difference d(q);
  const double least = 16 * d.rounding;
  const double tolerance = std::max(options.tolerance.value_or(1e-12 * d.size), least);
  CurvedAdvance(d, tolerance, options, r).run();
  if (r.status != Status::contact || r.time.touch != 0) return;
  const double apart = r.gap - options.min_separation;
  if (apart <= 2 * d.rounding) {
    if (options.min_separation > 0 || engine::elementary::touch_now(q.kind, start))
      r.status = Status::touching_at_start;
  } else if (0.5 * apart >= least && 0.5 * apart < tolerance) {
    const std::uint64_t steps = r.steps;
    r = ElementaryResult{};
    CurvedAdvance(d, 0.5 * apart, options, r).run();
    r.steps += steps;
  }
}

void answer_at_scale(const CurvedElementaryQuery& q, const std::array<Vec3, 4>& start, const ElementaryOptions& options,
                     ElementaryResult& r) {
  if (q.control.size() == 5)
    answer_curved<CurvedDifference<4, true>>(q, start, options, r);
  else
    answer_curved<CurvedDifference<most_degree, false>>(q, start, options, r);
}

}  // namespace

void engine::elementary::curved_contact(const CurvedElementaryQuery& q, const ElementaryOptions& options,
                                        ElementaryResult& r) {
  r.time = {0, not_a_number};  // unless an answer is found
  r.gap = not_a_number;
  // Sixth powers of lengths are computed: where they would overflow or underflow, scale to a size near 1 by a power of
  // two.
  double half = 0;
  for (const auto& points : q.control) half = std::max(half, engine::elementary::half_extent(points));
  if (half == 0 || (half >= 0x1p-100 && half <= 0x1p100)) return answer_at_scale(q, q.control[0], options, r);
  const double scale = engine::elementary::scale_for(half);
  std::array<std::array<Vec3, 4>, most_degree + 1> control;
  for (std::size_t k = 0; k < q.control.size(); ++k)
    control[k] = engine::elementary::scaled_instant(q.control[k], scale);
  ElementaryOptions asked = options;
  if (asked.tolerance) asked.tolerance = engine::elementary::length_at_scale(*asked.tolerance, scale);
  asked.min_separation = engine::elementary::length_at_scale(asked.min_separation, scale);
  answer_at_scale({q.kind, std::span(control).first(q.control.size())}, q.control[0], asked, r);
  r.gap /= scale;
  r.tolerance = engine::elementary::tolerance_back(r.tolerance, scale, options.tolerance.value_or(0));
}

ElementaryResult elementary_contact(const CurvedElementaryQuery& q, const ElementaryOptions& options) {
  const core::FpGuard guard;
  ElementaryResult r;
  if (const auto code = mistake(q, options)) {
    r.status = Status::invalid_request;
    r.error = code;
    return r;
  }
  r.time = {0, not_a_number};
  r.gap = not_a_number;
  core::Limits limits(options.cancel, options.budget);  // work is counted by the search itself
  core::run_within(limits, [&](core::Limits*) { engine::elementary::curved_contact(q, options, r); });
  core::leave_if_outer_ended(limits);
  return r;
}

}  // namespace graze
