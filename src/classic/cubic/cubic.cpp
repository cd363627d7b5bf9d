// SPDX-License-Identifier: MIT
#include "classic/cubic/cubic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/elementary/closest_now.hpp"

namespace graze::classic::cubic {
namespace {

/// a[0] + a[1] t + a[2] t^2 + a[3] t^3
using Cubic = std::array<double, 4>;

double value(const Cubic& a, double t) { return a[0] + t * (a[1] + t * (a[2] + t * a[3])); }

/// Candidates for the first contact, ascending.
struct Times {
  int n = 0;
  std::array<double, 8> t;

  void add(double x) {
    if (x >= 0 && x <= 1) t[static_cast<std::size_t>(n++)] = x;
  }
  void sort() { std::sort(t.begin(), t.begin() + n); }
};

/// Zeros of b + 2 a t + c t^2 without cancellation.
void add_quadratic_zeros(double b, double a, double c, Times& times) {
  const double discriminant = a * a - b * c;
  if (!(discriminant >= 0)) return;
  const double q = -(a + std::copysign(std::sqrt(discriminant), a));
  if (c != 0) times.add(q / c);
  if (q != 0) times.add(b / q);
}

/// A zero between lo and hi, where the cubic is monotone and has different signs.
double bisect(const Cubic& a, double lo, double hi) {
  const bool rising = value(a, hi) > 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (lo + hi);
    (value(a, middle) > 0) == rising ? hi = middle : lo = middle;
  }
  return 0.5 * (lo + hi);
}

/// The cubic is monotone between its extrema: each interval has one zero if the signs differ. The extrema themselves
/// are candidates too: a double zero would be there.
void add_cubic_zeros(const Cubic& a, Times& times) {
  Times turns;
  turns.add(0);
  add_quadratic_zeros(a[1], a[2], 3 * a[3], turns);
  turns.add(1);
  turns.sort();
  for (int i = 0; i < turns.n; ++i) {
    const double t = turns.t[static_cast<std::size_t>(i)];
    times.add(t);
    if (i + 1 == turns.n) break;
    const double next = turns.t[static_cast<std::size_t>(i + 1)];
    if ((value(a, t) > 0) != (value(a, next) > 0)) times.add(bisect(a, t, next));
  }
}

/// A difference of two of the query's points, scaled: p + t d.
struct Moving {
  Vec3 p, d;
};

Times candidates(const ElementaryQuery& query) {
  const ElementaryQuery q = engine::elementary::at_scale(query, engine::elementary::unit_scale(query));
  const auto difference = [&](std::size_t i, std::size_t j) {
    const Vec3 p = q.start[i] - q.start[j];
    return Moving{p, (q.end[i] - q.end[j]) - p};
  };
  Times times;
  if (q.kind == ElementaryKind::vertex_vertex) {
    const Moving x = difference(0, 1);
    const double square = dot(x.d, x.d);
    times.add(0);
    times.add(1);
    if (square > 0) times.add(-dot(x.p, x.d) / square);
  } else if (q.kind == ElementaryKind::vertex_edge) {
    const Moving x = difference(0, 1), y = difference(2, 1);
    const Vec3 c0 = cross(x.p, y.p), c1 = cross(x.p, y.d) + cross(x.d, y.p), c2 = cross(x.d, y.d);
    const auto size = [&](int i) { return std::fabs(c0[i]) + std::fabs(c1[i]) + std::fabs(c2[i]); };
    const int axis = size(0) >= size(1) && size(0) >= size(2) ? 0 : size(1) >= size(2) ? 1 : 2;
    times.add(0);
    times.add(1);
    if (c2[axis] != 0) times.add(-0.5 * c1[axis] / c2[axis]);
    add_quadratic_zeros(c0[axis], 0.5 * c1[axis], c2[axis], times);
  } else {
    // x . (y x z): zero when the three differences are coplanar.
    const bool edges = q.kind == ElementaryKind::edge_edge;
    const Moving x = edges ? difference(2, 0) : difference(0, 1);
    const Moving y = edges ? difference(1, 0) : difference(2, 1);
    const Moving z = edges ? difference(3, 2) : difference(3, 1);
    const Vec3 c0 = cross(y.p, z.p), c1 = cross(y.p, z.d) + cross(y.d, z.p), c2 = cross(y.d, z.d);
    add_cubic_zeros({dot(x.p, c0), dot(x.p, c1) + dot(x.d, c0), dot(x.p, c2) + dot(x.d, c1), dot(x.d, c2)}, times);
  }
  times.sort();
  return times;
}

}  // namespace

void ElementaryCubic::run(const engine::elementary::Elementary& e, ElementaryResult& result) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  result.tolerance = e.tolerance;
  if (e.options.min_separation > 0) {
    result.status = Status::invalid_request;
    result.error = ErrorCode::unsupported;
    return;
  }
  const Times times = candidates(e.query);
  for (int i = 0; i < times.n; ++i) {
    const double t = times.t[static_cast<std::size_t>(i)];
    const engine::elementary::ClosestNow closest = engine::elementary::closest_now(e.query, t);
    ++result.steps;
    if (!(closest.gap <= e.tolerance)) continue;
    result.status = Status::contact;
    result.time = {t, t};
    result.gap = closest.gap;
    result.weights = closest.weights;
    return;
  }
  result.status = Status::free;
  result.time = {1, nan};
  result.gap = nan;
}

}  // namespace graze::classic::cubic
