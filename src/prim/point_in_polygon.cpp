// SPDX-License-Identifier: MIT
#include "prim/point_in_polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/predicates.hpp"

namespace graze::prim {

namespace {

enum class Hit : unsigned char { miss, hit, on, unknown };

int orient(const Point2& a, const Point2& b, const Point2& c) { return math::orient2d(a.x, a.y, b.x, b.y, c.x, c.y); }

bool between(double a, double x, double b) { return std::min(a, b) <= x && x <= std::max(a, b); }

/// Does the ray from q meet the edge a b? The start of the edge counts, its end does not, where "start" is the end that
/// is not above the ray: as if q were moved up by an infinitesimal, so a corner on the ray needs no special case (the
/// thesis's "<=" and ">").
Hit one_shot(const Point2& a, const Point2& b, const Point2& q, AllCounters& counters) {
  if (a.x <= q.x && b.x <= q.x) {
    ++counters.polygon_precheck_1;
    const bool vertical = a.x == q.x && b.x == q.x;
    return a == q || b == q || (vertical && between(a.y, q.y, b.y)) ? Hit::on : Hit::miss;
  }
  if (a.y > q.y && b.y > q.y) {
    ++counters.polygon_precheck_2;
    return Hit::miss;
  }
  if (a.y <= q.y && b.y <= q.y) {
    ++counters.polygon_precheck_3;
    const bool flat = a.y == q.y && b.y == q.y;
    return a == q || b == q || (flat && between(a.x, q.x, b.x)) ? Hit::on : Hit::miss;
  }
  if (a.x > q.x && b.x > q.x) {
    ++counters.polygon_precheck_4;
    return Hit::hit;
  }
  // Rounding is monotone: rounded differences that differ prove that the exact ones differ, with the same sign.
  const double ax = a.x - q.x, ay = a.y - q.y, bx = b.x - q.x, by = b.y - q.y;
  if (ay > ax && by > bx) {
    ++counters.polygon_precheck_5;
    return Hit::miss;
  }
  if (-ay > ax && -by > bx) {
    ++counters.polygon_precheck_6;
    return Hit::miss;
  }
  ++counters.polygon_exact;
  const int side = orient(a, b, q);
  if (side == 0) return Hit::on;
  return (side > 0) == (b.y > a.y) ? Hit::hit : Hit::miss;
}

/// The same with inexact coordinates: the sign of a difference of two is certain only beyond `margin`.
Hit one_shot_filter(const Point2& a, const Point2& b, const Point2& q, double margin, AllCounters& counters) {
  const double ax = a.x - q.x, ay = a.y - q.y, bx = b.x - q.x, by = b.y - q.y;
  if (ax < -margin && bx < -margin) {
    ++counters.polygon_precheck_1;
    return Hit::miss;
  }
  if (ay > margin && by > margin) {
    ++counters.polygon_precheck_2;
    return Hit::miss;
  }
  if (ay < -margin && by < -margin) {
    ++counters.polygon_precheck_3;
    return Hit::miss;
  }
  const bool opposite = (ay > margin && by < -margin) || (ay < -margin && by > margin);
  if (!opposite) return Hit::unknown;
  if (ax > margin && bx > margin) {
    ++counters.polygon_precheck_4;
    return Hit::hit;
  }
  // Each of the two differences has its own margin, and a rounding of half a unit in the last place.
  const auto more = [&](double y, double x) {
    return y - x > 2.001 * margin + 0x1p-51 * (std::fabs(x) + std::fabs(y));
  };
  if (more(ay, ax) && more(by, bx)) {
    ++counters.polygon_precheck_5;
    return Hit::miss;
  }
  if (more(-ay, ax) && more(-by, bx)) {
    ++counters.polygon_precheck_6;
    return Hit::miss;
  }
  const double l = ax * by, r = ay * bx, det = l - r;  // orient2d(q, a, b), bound as in PlacedPoints::orient2d
  const double bound = 0x1p-51 * (std::fabs(l) + std::fabs(r)) + std::numeric_limits<double>::min() +
                       1.001 * margin * (std::fabs(ax) + std::fabs(ay) + std::fabs(bx) + std::fabs(by) + 2 * margin);
  if (!(det > bound || det < -bound)) return Hit::unknown;
  ++counters.polygon_exact;
  return (det > 0) == (by > ay) ? Hit::hit : Hit::miss;
}

/// The corners of a convex polygon by index, and which of them are above q.
class Heights {
 public:
  Heights(std::span<const Point2> polygon, double y, AllCounters& counters)
      : p_(polygon), y_(y), n_(polygon.size()), counters_(counters) {}

  const Point2& at(std::size_t i) const { return p_[i % n_]; }
  bool above(std::size_t i) const { return at(i).y > y_; }

  /// A corner on the opposite side of the line from corner 0, or n if there is none. The heights from 0 to n = 0 form
  /// at most three monotone runs (for example down, up, down); the wanted corner is near the extremum that lies in the
  /// open range (lo, hi).
  std::size_t other_side() const {
    const double sign = above(0) ? 1 : -1;  // search for the minimum of sign * y
    const auto height = [&](std::size_t i) { return sign * at(i).y; };
    std::size_t lo = 0, hi = n_;
    bool lo_falls = falls(lo, sign);
    while (hi - lo > 1) {
      ++counters_.polygon_search_steps;
      const std::size_t k = lo + (hi - lo) / 2;
      if (above(k) != above(0)) return k;
      const bool k_falls = falls(k, sign);
      const bool further_down = height(k)<height(lo), further_up = height(k)> height(lo);
      if (k_falls == lo_falls && !further_down && !further_up)
        return linear();  // both are on one flat edge: which comes first is unknown
      const bool beyond = k_falls ? !lo_falls || further_down : !lo_falls && further_up;
      if (beyond) {
        lo = k;
        lo_falls = k_falls;
      } else {
        hi = k;
      }
    }
    return n_;
  }

  /// Between two corners (from < to, modulo n) on different sides: the first corner on the opposite side from its
  /// predecessor.
  std::size_t change(std::size_t from, std::size_t to) const {
    const bool side = above(from);
    while (to - from > 1) {
      ++counters_.polygon_search_steps;
      const std::size_t k = from + (to - from) / 2;
      (above(k) == side ? from : to) = k;
    }
    return to;
  }

 private:
  /// Does sign * y decrease after corner i? On a flat edge the next corner at another height decides.
  bool falls(std::size_t i, double sign) const {
    for (std::size_t k = 1; k < n_; ++k) {
      const double step = sign * (at(i + k).y - at(i).y);
      if (step != 0) return step < 0;
    }
    return false;
  }
  std::size_t linear() const {
    for (std::size_t i = 0; i < n_; ++i)
      if (above(i) != above(0)) return i;
    return n_;
  }

  std::span<const Point2> p_;
  double y_;
  std::size_t n_;
  AllCounters& counters_;
};

}  // namespace

PointLocation point_in_polygon(std::span<const Point2> polygon, const Point2& q, AllCounters& counters) {
  bool inside = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Hit hit = one_shot(polygon[i], polygon[i + 1 < polygon.size() ? i + 1 : 0], q, counters);
    if (hit == Hit::on) return PointLocation::on;
    if (hit == Hit::hit) inside = !inside;
  }
  return inside ? PointLocation::inside : PointLocation::outside;
}

std::optional<PointLocation> point_in_polygon_filter(std::span<const Point2> polygon, const Point2& q, double error,
                                                     AllCounters& counters) {
  bool inside = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point2& next = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    const Hit hit = one_shot_filter(polygon[i], next, q, 2.001 * error, counters);
    if (hit == Hit::unknown) return std::nullopt;
    if (hit == Hit::hit) inside = !inside;
  }
  return inside ? PointLocation::inside : PointLocation::outside;
}

PointLocation point_in_convex_by_wedges(std::span<const Point2> polygon, const Point2& q, AllCounters& counters) {
  std::size_t lo = 1, hi = polygon.size() - 1;
  const Point2& tip = polygon[0];
  const int first = orient(tip, polygon[lo], q), last = orient(tip, polygon[hi], q);
  if (first < 0 || last > 0) return PointLocation::outside;
  if (first == 0 || last == 0) return point_in_polygon(polygon, q, counters);  // on a line through the apex
  while (hi - lo > 1) {
    ++counters.polygon_search_steps;
    const std::size_t k = lo + (hi - lo) / 2;
    (orient(tip, polygon[k], q) >= 0 ? lo : hi) = k;
  }
  const int side = orient(polygon[lo], polygon[hi], q);
  return side > 0 ? PointLocation::inside : side == 0 ? PointLocation::on : PointLocation::outside;
}

PointLocation point_in_convex_by_heights(std::span<const Point2> polygon, const Point2& q, AllCounters& counters) {
  const Heights heights(polygon, q.y, counters);
  const std::size_t n = polygon.size(), other = heights.other_side();
  // All above, or none: the line misses the polygon, or contains its highest edge or corner.
  if (other == n) return heights.above(0) ? PointLocation::outside : point_in_polygon(polygon, q, counters);
  const std::size_t one = heights.change(0, other), two = heights.change(other, n);
  bool inside = false;
  for (const std::size_t end : {one, two}) {
    const Hit hit = one_shot(heights.at(end - 1), heights.at(end), q, counters);
    if (hit == Hit::on) return PointLocation::on;
    if (hit == Hit::hit) inside = !inside;
  }
  // Corners that are not above the line, in order. If the first two are on it, all of them are: the lowest edge lies on
  // the line.
  const std::size_t first = heights.above(0) ? one : two, last = heights.above(0) ? two - 1 : one + n - 1;
  const bool flat = first < last && heights.at(first).y == q.y && heights.at(first + 1).y == q.y;
  if (flat && between(heights.at(first).x, q.x, heights.at(last).x)) return PointLocation::on;
  return inside ? PointLocation::inside : PointLocation::outside;
}

}  // namespace graze::prim
