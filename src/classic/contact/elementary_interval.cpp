// SPDX-License-Identifier: MIT
#include "classic/contact/elementary_interval.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <graze/math/interval.hpp>

#include "core/limits.hpp"
#include "engine/elementary/closest_now.hpp"

namespace graze::classic::contact {
namespace {

struct IntervalVec3 {
  Interval x, y, z;

  const Interval& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
IntervalVec3 operator+(const IntervalVec3& a, const IntervalVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
IntervalVec3 operator-(const IntervalVec3& a, const IntervalVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
IntervalVec3 operator*(const IntervalVec3& a, const Interval& s) { return {a.x * s, a.y * s, a.z * s}; }
Interval dot(const IntervalVec3& a, const IntervalVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
IntervalVec3 cross(const IntervalVec3& a, const IntervalVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double longest(const IntervalVec3& a) { return sqrt(sqr(a.x) + sqr(a.y) + sqr(a.z)).hi; }

/// The corners of the difference of the two features, whose convex hull contains the origin when they meet: in cyclic
/// order, so that the four of two edges form a parallelogram. Scaled to sizes at which nothing overflows; the intervals
/// include underflow losses.
struct Corners {
  int n = 0;
  std::array<IntervalVec3, 4> p;

  void add(const IntervalVec3& x) { p[static_cast<std::size_t>(n++)] = x; }
  const IntervalVec3& operator[](int i) const { return p[static_cast<std::size_t>(i % n)]; }
};

Corners corners(const ElementaryQuery& q, const std::array<Vec3, 4>& place, double scale) {
  const auto difference = [&](std::size_t i, std::size_t j) {
    const auto at = [&](std::size_t k) {
      return IntervalVec3{Interval(place[k].x) * scale, Interval(place[k].y) * scale, Interval(place[k].z) * scale};
    };
    return at(i) - at(j);
  };
  Corners c;
  if (q.kind == ElementaryKind::edge_edge) {
    c.add(difference(0, 2));
    c.add(difference(1, 2));
    c.add(difference(1, 3));
    c.add(difference(0, 3));
    return c;
  }
  c.add(difference(0, 1));
  if (q.kind == ElementaryKind::vertex_vertex) return c;
  c.add(difference(0, 2));
  if (q.kind == ElementaryKind::vertex_face) c.add(difference(0, 3));
  return c;
}

/// The Bernstein coefficients of a polynomial over the span enclose its values there. (Times a positive number: here
/// sums over index choices instead of means.)
template <std::size_t N>
bool all_above(const std::array<Interval, N>& b, double bound) {
  return std::all_of(b.begin(), b.end(), [&](const Interval& x) { return x.lo > bound; });
}
template <std::size_t N>
bool all_below(const std::array<Interval, N>& b, double bound) {
  return std::all_of(b.begin(), b.end(), [&](const Interval& x) { return x.hi < bound; });
}

/// The tests of one span of time; from and to: the corners at its ends, between which they move linearly. `separation`:
/// apart means further than this.
class Span {
 public:
  Span(const Corners& from, const Corners& to, double separation) : from_(from), to_(to), separation_(separation) {}

  /// All corners are further than the separation along n at both ends; they move linearly along n.
  bool apart_along(const Vec3& n) const {
    const IntervalVec3 direction{n.x, n.y, n.z};
    const double bound = separation_ > 0 ? (Interval(separation_) * longest(direction)).hi : 0;
    for (int i = 0; i < from_.n; ++i)
      if (!(dot(direction, from_[i]).lo > bound && dot(direction, to_[i]).lo > bound)) return false;
    return true;
  }

  bool apart_along_axes() const {
    for (int axis = 0; axis < 3; ++axis) {
      bool above = true, below = true;
      for (int i = 0; i < from_.n; ++i) {
        above = above && from_[i][axis].lo > separation_ && to_[i][axis].lo > separation_;
        below = below && from_[i][axis].hi < -separation_ && to_[i][axis].hi < -separation_;
      }
      if (above || below) return true;
    }
    return false;
  }

  /// Eq. 9 and 10: the origin is off the plane of the corners at all times. With a separation: |f| is the distance from
  /// the plane times the length of the normal, so it must exceed the separation times the longest normal.
  bool never_coplanar() const {
    if (from_.n < 3) return false;
    std::array<Interval, 4> f;  // 1, 3, 3, 1 times the coefficients
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const IntervalVec3 c = cross(end(j)[1], end(i)[2]);
        f[static_cast<std::size_t>(i + j)] += dot(end(0)[0], c);
        f[static_cast<std::size_t>(i + j + 1)] += dot(end(1)[0], c);
      }
    f[1] *= third;
    f[2] *= third;
    double bound = 0;
    if (separation_ > 0) {
      const auto normal = cross_coefficients(edge(0, 1), edge(0, 2));
      bound = std::max({longest(normal[0]), longest(normal[1]), longest(normal[2])});
      bound = (Interval(separation_) * bound).hi;
    }
    return all_above(f, bound) || all_below(f, -bound);
  }

  /// For a vertex and an edge: the origin is off the corners' line at all times, or the corners are on one side of it.
  bool never_in_line() const {
    if (from_.n != 2 || separation_ > 0) return false;
    const auto c = cross_coefficients(path(0), path(1));
    for (int axis = 0; axis < 3; ++axis) {
      const std::array<Interval, 3> b{c[0][axis], c[1][axis], c[2][axis]};
      if (all_above(b, 0) || all_below(b, 0)) return true;
    }
    return all_above(
        std::array{dot(from_[0], from_[1]), dot(from_[0], to_[1]) + dot(to_[0], from_[1]), dot(to_[0], to_[1])}, 0);
  }

  /// The inside conditions. If the origin is in the plane and among the corners, all corners follow each other around
  /// it in the same direction: no two of the products p[k] x p[k+1] are opposite. Proves nothing about a separation.
  bool never_inside() const {
    if (from_.n < 3 || separation_ > 0) return false;
    std::array<std::array<IntervalVec3, 3>, 4> c;
    for (int k = 0; k < from_.n; ++k) c[static_cast<std::size_t>(k)] = cross_coefficients(path(k), path(k + 1));
    for (std::size_t i = 0; i < static_cast<std::size_t>(from_.n); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (all_below(dot_coefficients(c[i], c[j]), 0)) return true;
    return false;
  }

 private:
  /// A vector that moves linearly: its values at the span's start and end.
  using Path = std::array<IntervalVec3, 2>;
  static constexpr Interval third{0.33333333333333331, 0.33333333333333337};

  const Corners& end(int i) const { return i == 0 ? from_ : to_; }
  Path path(int k) const { return {from_[k], to_[k]}; }
  Path edge(int k, int l) const { return {from_[l] - from_[k], to_[l] - to_[k]}; }

  static std::array<IntervalVec3, 3> cross_coefficients(const Path& a, const Path& b) {
    return {cross(a[0], b[0]), (cross(a[0], b[1]) + cross(a[1], b[0])) * Interval(0.5), cross(a[1], b[1])};
  }
  /// For two quadratic vectors: b4 of degree 4; weights C(2,i) C(2,j) / C(4,i+j), here times 6.
  static std::array<Interval, 5> dot_coefficients(const std::array<IntervalVec3, 3>& a,
                                                  const std::array<IntervalVec3, 3>& b) {
    return {dot(a[0], b[0]), dot(a[0], b[1]) + dot(a[1], b[0]),
            dot(a[0], b[2]) + dot(a[2], b[0]) + Interval(4) * dot(a[1], b[1]), dot(a[1], b[2]) + dot(a[2], b[1]),
            dot(a[2], b[2])};
  }

  const Corners& from_;
  const Corners& to_;
  double separation_;
};

class Bisection {
 public:
  explicit Bisection(const engine::elementary::Elementary& e)
      : e_(e),
        scale_(engine::elementary::unit_scale(e.query)),
        separation_((Interval(e.options.min_separation) * scale_).hi),
        start_(corners(e.query, e.query.start, scale_)),
        end_(corners(e.query, e.query.end, scale_)) {}

  Corners at(double t) const {
    if (t == 0) return start_;
    if (t == 1) return end_;
    Corners c;
    for (int i = 0; i < start_.n; ++i) c.add(start_[i] * (Interval(1) - t) + end_[i] * t);
    return c;
  }

  bool apart(double t0, const Corners& from, double t1, const Corners& to) const {
    const Span span(from, to, separation_);
    return span.apart_along_axes() || span.never_coplanar() || span.never_inside() || span.never_in_line() ||
           span.apart_along(engine::elementary::closest_now(e_.query, t0 + 0.5 * (t1 - t0)).direction);
  }

 private:
  const engine::elementary::Elementary& e_;
  double scale_, separation_;
  Corners start_, end_;
};

}  // namespace

void ElementaryInterval::run(const engine::elementary::Elementary& e, ElementaryResult& result) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  result.tolerance = e.tolerance;
  const Bisection bisection(e);
  double t = 0;                 // everything before is certified
  std::vector<double> ends{1};  // of the pending spans, the next one last
  Corners from = bisection.at(t);
  while (!ends.empty()) {
    if ((e.options.work != 0 && result.steps >= e.options.work) ||
        (result.steps % 64 == 63 && core::stop_requested())) {
      result.status = Status::undecided;
      result.time = {t, nan};
      result.gap = nan;
      return;
    }
    ++result.steps;
    const double end = ends.back(), middle = t + 0.5 * (end - t);
    const Corners to = bisection.at(end);
    if (bisection.apart(t, from, end, to)) {
      t = end;
      from = to;
      ends.pop_back();
      continue;
    }
    const engine::elementary::ClosestNow closest = engine::elementary::closest_now(e.query, t);
    // A tolerance of many roundings never needs a span too short to be halved; this check guarantees termination
    // anyway.
    if (closest.gap + e.rounding <= e.options.min_separation + e.tolerance || !(t < middle && middle < end)) {
      result.status = Status::contact;
      result.time = {t, t};
      result.gap = closest.gap;
      result.weights = closest.weights;
      return;
    }
    ends.push_back(middle);
  }
  result.status = Status::free;
  result.time = {1, nan};
  result.gap = nan;
}

}  // namespace graze::classic::contact
