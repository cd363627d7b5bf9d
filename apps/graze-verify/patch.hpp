// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>

#include "features.hpp"
#include "mesh.hpp"

namespace verify {

/// A few triangles of a step, projected along a direction to a plane: do they never overlap there? Then no two points
/// of them ever meet, but points of common vertices and edges. Vertices move on straight lines, and so do their
/// projections. At any time:
///   * every projected triangle is positively oriented. So a point of the plane that is on no edge is in as many
///     triangles as the boundary winds around it;
///   * the boundary (edges without a partner in the opposite direction) is a set of simple loops that do not meet. So
///     how they are nested and oriented does not change;
///   * at t = 0 the boundary winds 0 or 1 times around every point.
/// So no two triangles have a common inner point in the plane. If two different points of the surface had one
/// projection, each would have a neighbourhood in the surface that covers a neighbourhood of the projection or, on the
/// boundary, a part of one with inner points, and both on the boundary is excluded. So there are no two such points.
class Patch {
 public:
  using Corners = std::array<std::uint32_t, 3>;

  Patch(const Mesh& start, const Mesh& end, double until, const Point& along)
      : start_(start), end_(end), until_(until), along_(along) {
    for (std::size_t k = 1; k < 3; ++k)
      if (std::abs(along[k]) > std::abs(along[axis_])) axis_ = k;
    if (along[axis_] == 0) throw Rejected("a patch along no direction");
  }

  /// Throws `Rejected` unless all of this is certain.
  void check(std::span<const Corners> triangles) {
    if (triangles.empty()) throw Rejected("a patch without triangles");
    origin_ = start_.vertices[triangles[0][0]];
    for (const Corners& t : triangles) {
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) throw Rejected("a patch with a triangle of two corners");
      const auto positive_area = [&]<class Number>(Number, double t0, double t1) {
        return sign_of(turn(between<Number>(t[1], t[0], t0, t1), between<Number>(t[2], t[0], t0, t1))) > 0;
      };
      if (!certain(positive_area)) throw Rejected("a patch with a triangle that does not always face its direction");
    }
    find_boundary(triangles);
    check_boundary();
    check_winding();
  }

 private:
  template <class Number>
  using Flat = std::array<Number, 2>;
  /// At the ends of an interval.
  template <class Number>
  using Moving = std::array<Flat<Number>, 2>;
  struct Edge {
    std::uint32_t from, to;
    std::array<Real, 2> low, high;  // over the whole time
  };

  // --- The plane

  /// Relative to the origin, in coordinates in which the image of a triangle is positively oriented if its normal has a
  /// positive product with the direction m: with mz > 0 they are x mz - z mx and y mz - z my.
  template <class Number>
  Flat<Number> project(const Point& p) const {
    const std::size_t k = axis_, a = (k + 1) % 3, b = (k + 2) % 3;
    const auto x = [&](std::size_t i) { return Number(p[i]) - Number(origin_[i]); };
    const Number m(along_[k]);
    const Flat<Number> flat{x(a) * m - x(k) * Number(along_[a]), x(b) * m - x(k) * Number(along_[b])};
    if (along_[k] > 0) return flat;
    return {flat[1], flat[0]};
  }
  template <class Number>
  Flat<Number> at(std::uint32_t v, double t) const {
    if (t == 0) return project<Number>(start_.vertices[v]);
    const Flat<Number> p = project<Number>(start_.vertices[v]), q = project<Number>(end_.vertices[v]);
    const Number later(t), sooner = Number(1.0) - later;
    return {p[0] * sooner + q[0] * later, p[1] * sooner + q[1] * later};
  }
  template <class Number>
  Moving<Number> between(std::uint32_t to, std::uint32_t from, double t0, double t1) const {
    Moving<Number> out;
    for (std::size_t end = 0; end < 2; ++end) {
      const Flat<Number> p = at<Number>(to, end == 0 ? t0 : t1), q = at<Number>(from, end == 0 ? t0 : t1);
      out[end] = {p[0] - q[0], p[1] - q[1]};
    }
    return out;
  }

  /// The Bernstein coefficients, the middle one doubled, of a form of two vectors that move linearly.
  template <class Number, class Form>
  static std::array<Number, 3> quadratic(const Moving<Number>& a, const Moving<Number>& b, Form form) {
    return {form(a[0], b[0]), form(a[0], b[1]) + form(a[1], b[0]), form(a[1], b[1])};
  }
  template <class Number>
  static std::array<Number, 3> turn(const Moving<Number>& a, const Moving<Number>& b) {
    return quadratic(a, b, [](const Flat<Number>& p, const Flat<Number>& q) { return p[0] * q[1] - p[1] * q[0]; });
  }
  template <class Number>
  static std::array<Number, 3> along(const Moving<Number>& a, const Moving<Number>& b) {
    return quadratic(a, b, [](const Flat<Number>& p, const Flat<Number>& q) { return p[0] * q[0] + p[1] * q[1]; });
  }
  /// The sign that all coefficients have; 0: not certain.
  template <class Number>
  static int sign_of(const std::array<Number, 3>& b) {
    if (positive(b[0]) && positive(b[1]) && positive(b[2])) return 1;
    return positive(-b[0]) && positive(-b[1]) && positive(-b[2]) ? -1 : 0;
  }

  /// Does `test` hold all the time? It is tried on the whole and on halves, by intervals and then in exact arithmetic.
  template <class Test>
  bool certain(Test&& test) const {
    int budget = 256;
    if (holds<Interval>(test, 0, until_, budget)) return true;
    budget = 16;
    return holds<Exact>(test, 0, until_, budget);
  }
  template <class Number, class Test>
  static bool holds(Test& test, double t0, double t1, int& budget) {
    if (test(Number(), t0, t1)) return true;
    const double middle = t0 + (t1 - t0) / 2;
    if (--budget < 0 || !(t0 < middle && middle < t1)) return false;
    return holds<Number>(test, t0, middle, budget) && holds<Number>(test, middle, t1, budget);
  }

  // --- The boundary

  static std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

  void find_boundary(std::span<const Corners> triangles) {
    std::unordered_set<std::uint64_t> sides;
    for (const Corners& t : triangles)
      for (std::size_t k = 0; k < 3; ++k)
        if (!sides.insert(key(t[k], t[(k + 1) % 3])).second)
          throw Rejected("a patch with an edge that two triangles have in the same direction");
    for (const Corners& t : triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t from = t[k], to = t[(k + 1) % 3];
        if (sides.contains(key(to, from))) continue;
        if (!next_.emplace(from, static_cast<std::uint32_t>(edges_.size())).second)
          throw Rejected("a patch whose boundary passes a vertex twice");
        Edge e{from, to, {}, {}};
        for (std::size_t i = 0; i < 2; ++i) {
          e.low[i] = Limits::max(), e.high[i] = -Limits::max();
          for (const std::uint32_t v : {from, to})
            for (const double t0 : {0.0, until_}) {
              const Interval x = at<Interval>(v, t0)[i];
              e.low[i] = std::min(e.low[i], x.lo), e.high[i] = std::max(e.high[i], x.hi);
            }
        }
        edges_.push_back(e);
      }
    if (edges_.empty()) throw Rejected("a patch without a boundary");
  }

  /// Every two edges of the boundary must be apart all the time, but for a common end.
  void check_boundary() const {
    // Only those that overlap along the longer extent are looked at.
    std::array<Real, 2> size{};
    for (std::size_t i = 0; i < 2; ++i) {
      Real low = Limits::max(), high = -Limits::max();
      for (const Edge& e : edges_) low = std::min(low, e.low[i]), high = std::max(high, e.high[i]);
      size[i] = high - low;
    }
    const std::size_t sweep = size[1] > size[0] ? 1 : 0, across = 1 - sweep;
    std::vector<const Edge*> order, open;
    for (const Edge& e : edges_) order.push_back(&e);
    std::sort(order.begin(), order.end(), [&](const Edge* a, const Edge* b) { return a->low[sweep] < b->low[sweep]; });
    for (const Edge* e : order) {
      std::erase_if(open, [&](const Edge* o) { return o->high[sweep] < e->low[sweep]; });
      for (const Edge* o : open)
        if (!(o->high[across] < e->low[across] || e->high[across] < o->low[across]) && !stay_apart(*o, *e))
          throw Rejected("a patch whose boundary may meet itself: edges " + text(*o) + " and " + text(*e));
      open.push_back(e);
    }
  }
  static std::string text(const Edge& e) { return std::to_string(e.from) + " " + std::to_string(e.to); }

  bool stay_apart(const Edge& a, const Edge& b) const {
    if (a.to == b.from) return never_fold(a.to, a.from, b.to);
    if (b.to == a.from) return never_fold(b.to, b.from, a.to);
    return certain([&]<class Number>(Number, double t0, double t1) {
      // Both ends of the one on one side of the other's line; or beyond one of its ends, along its direction.
      const auto beside = [&](const Edge& e, const Edge& line) {
        const auto direction = between<Number>(line.to, line.from, t0, t1);
        const auto side = [&](std::uint32_t v) {
          return sign_of(turn(direction, between<Number>(v, line.from, t0, t1)));
        };
        const auto beyond = [&](std::uint32_t v, std::uint32_t end) {
          return sign_of(along(direction, between<Number>(v, end, t0, t1)));
        };
        const int s = side(e.from);
        return (s != 0 && s == side(e.to)) || (beyond(e.from, line.to) > 0 && beyond(e.to, line.to) > 0) ||
               (beyond(e.from, line.from) < 0 && beyond(e.to, line.from) < 0);
      };
      return apart_along_axis<Number>(a, b, t0, t1) || beside(a, b) || beside(b, a);
    });
  }
  /// One of the plane's coordinates separates them, in the same way at both times, so also in between.
  template <class Number>
  bool apart_along_axis(const Edge& a, const Edge& b, double t0, double t1) const {
    const auto below = [&](const Edge& low, const Edge& high, std::size_t i) {
      for (const double t : {t0, t1})
        for (const std::uint32_t v : {low.from, low.to})
          for (const std::uint32_t w : {high.from, high.to})
            if (!positive(at<Number>(w, t)[i] - at<Number>(v, t)[i])) return false;
      return true;
    };
    return below(a, b, 0) || below(b, a, 0) || below(a, b, 1) || below(b, a, 1);
  }
  /// Edges from one vertex have no other common point: they are not parallel, or point in opposite directions.
  bool never_fold(std::uint32_t v, std::uint32_t a, std::uint32_t b) const {
    return certain([&]<class Number>(Number, double t0, double t1) {
      const auto p = between<Number>(a, v, t0, t1), q = between<Number>(b, v, t0, t1);
      return sign_of(turn(p, q)) != 0 || sign_of(along(p, q)) < 0;
    });
  }

  // --- Winding numbers at t = 0

  /// Beside each loop the boundary must wind 0 times on its right and once on its left: around every point, then, as
  /// every region of the plane lies beside a loop or is the outside.
  void check_winding() const {
    std::vector<std::uint32_t> loop(edges_.size(), none);
    std::uint32_t loops = 0;
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
      if (loop[i] != none) continue;
      for (std::uint32_t j = i; loop[j] == none; j = after(j)) loop[j] = loops;
      ++loops;
    }
    std::vector<bool> seen(loops);
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
      if (seen[loop[i]]) continue;
      seen[loop[i]] = true;
      int others = 0;
      for (std::uint32_t j = 0; j < edges_.size(); ++j)
        if (loop[j] != loop[i]) others += crossing(edges_[i].from, edges_[j]);
      if (others != (is_anticlockwise(i) ? 0 : 1)) throw Rejected("a patch whose boundary does not wind 0 or 1 times");
    }
  }
  std::uint32_t after(std::uint32_t edge) const {
    const auto found = next_.find(edges_[edge].to);
    if (found == next_.end()) throw Rejected("a patch whose boundary ends");
    return found->second;
  }

  /// What an edge adds to the winding number around a vertex that is not on it: does it cross the ray in the direction
  /// of the first coordinate, and how?
  int crossing(std::uint32_t v, const Edge& e) const {
    const bool from = compare(e.from, v, 1) > 0, to = compare(e.to, v, 1) > 0;
    if (from == to) return 0;
    return to == (side_at_start(e.from, e.to, v) > 0) ? (to ? 1 : -1) : 0;
  }
  /// At the lowest vertex, of these the first by the other coordinate, a simple loop turns as it does as a whole.
  bool is_anticlockwise(std::uint32_t first) const {
    std::uint32_t before = first;  // the edge that ends in the lowest vertex
    for (std::uint32_t j = after(first); j != first; j = after(j)) {
      const int lower = compare(edges_[j].to, edges_[before].to, 1);
      if (lower < 0 || (lower == 0 && compare(edges_[j].to, edges_[before].to, 0) < 0)) before = j;
    }
    return side_at_start(edges_[before].from, edges_[before].to, edges_[after(before)].to) > 0;
  }
  int compare(std::uint32_t a, std::uint32_t b, std::size_t i) const {
    return sign([&]<class Number>(Number) { return at<Number>(a, 0)[i] - at<Number>(b, 0)[i]; });
  }
  int side_at_start(std::uint32_t from, std::uint32_t to, std::uint32_t v) const {
    return sign(
        [&]<class Number>(Number) { return turn(between<Number>(to, from, 0, 0), between<Number>(v, from, 0, 0))[0]; });
  }
  template <class Value>
  static int sign(Value&& value) {
    const Interval quick = value(Interval());
    return quick.lo > 0 ? 1 : quick.hi < 0 ? -1 : value(Exact()).sign();
  }

  static constexpr std::uint32_t none = 0xffffffff;
  const Mesh &start_, &end_;
  const double until_;
  const Point along_;
  std::size_t axis_ = 0;
  Point origin_{};
  std::vector<Edge> edges_;
  std::unordered_map<std::uint32_t, std::uint32_t> next_;  // by vertex: the edge that starts there
};

}  // namespace verify
