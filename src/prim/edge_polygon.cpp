// SPDX-License-Identifier: MIT
#include "prim/edge_polygon.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <graze/math/interval.hpp>

#include "prim/point_in_polygon.hpp"

namespace graze::prim {

namespace {

using math::PlacedPoints;

struct Interval3 {
  Interval x, y, z;
};
Interval3 operator-(const Interval3& a, const Interval3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Interval dot(const Interval3& a, const Interval3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Interval3 cross(const Interval3& a, const Interval3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
const Interval& component(const Interval3& a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

class Test {
 public:
  Test(const math::RelativePlacement& placement, bool edge_of_b, const std::array<Vec3, 2>& edge,
       std::span<const Vec3> polygon, AllCounters& counters)
      : placement_(placement),
        of_b_(edge_of_b),
        edge_(edge),
        polygon_(polygon),
        counters_(counters),
        p_(placement, counters) {}

  EdgeContact run() {
    ++counters_.edge_polygon_tests;
    if (!find_plane()) return meets_outline() ? EdgeContact::touching : EdgeContact::none;
    const int s0 = side(0), s1 = side(1);
    if (s0 * s1 > 0) return EdgeContact::none;
    if (s0 * s1 < 0) return through_plane();
    if (s0 == 0 && end_in_polygon(0)) return EdgeContact::touching;
    if (s1 == 0 && end_in_polygon(1)) return EdgeContact::touching;
    return s0 == 0 && s1 == 0 && meets_outline() ? EdgeContact::touching : EdgeContact::none;
  }

 private:
  std::size_t next(std::size_t i) const { return i + 1 < polygon_.size() ? i + 1 : 0; }
  int add(bool b, const Vec3& x) { return b ? p_.add_b(x) : p_.add_a(x); }
  int add_corner(std::size_t i) { return add(!of_b_, polygon_[i]); }
  void load_edge() {
    p_.clear();
    for (const Vec3& x : edge_) add(of_b_, x);
  }

  /// The corner relative to the first, times `factor`.
  Vec3 from_first(std::size_t i, double factor) const { return polygon_[i] * factor - polygon_[0] * factor; }

  /// The corners relative to the first, in units of a power of two that make the largest of all coordinates at least
  /// 1/2 and less than 1 (unless all are 0): then squares, products and lengths do not overflow, and the largest do not
  /// underflow.
  class ScaledCorners {
   public:
    explicit ScaledCorners(const Test& test) : test_(test) {
      double largest = size();
      if (!std::isfinite(largest)) factor_ = 0.5, largest = size();  // differences of halves cannot overflow
      std::frexp(largest, &exponent_);
    }
    Vec3 operator[](std::size_t i) const {
      const Vec3 d = test_.from_first(i, factor_);
      return {std::ldexp(d.x, -exponent_), std::ldexp(d.y, -exponent_), std::ldexp(d.z, -exponent_)};
    }

   private:
    double size() const {
      double largest = 0;
      for (std::size_t i = 1; i < test_.polygon_.size(); ++i)
        for (int k = 0; k < 3; ++k) largest = std::max(largest, std::fabs(test_.from_first(i, factor_)[k]));
      return largest;
    }

    const Test& test_;
    double factor_ = 1;
    int exponent_ = 0;
  };

  /// Three corners that are not collinear, with the third as far from the line as rounded numbers can tell; false if
  /// there are none. That they are not collinear is decided exactly, so a length that underflows to zero only makes a
  /// worse choice.
  bool find_plane() {
    const ScaledCorners corner(*this);
    std::size_t far = 0;
    for (std::size_t i = 1; i < polygon_.size(); ++i)
      if (length(corner[i]) > length(corner[far])) far = i;
    double largest = -1;
    for (std::size_t i = 1; i < polygon_.size(); ++i) {
      const double area = length(graze::cross(corner[far], corner[i]));
      if (!(area > largest)) continue;
      p_.clear();
      add_corner(0), add_corner(far), add_corner(i);
      if (p_.collinear(0, 1, 2)) continue;
      largest = area;
      plane_ = {0, far, i};
    }
    return largest >= 0;
  }

  int side(std::size_t end) {
    p_.clear();
    for (const std::size_t i : plane_) add_corner(i);
    return p_.orient3d(0, 1, 2, add(of_b_, edge_[end]));
  }

  EdgeContact through_plane() {
    if (const std::optional<PointLocation> location = filtered())
      return *location == PointLocation::inside ? EdgeContact::crossing : EdgeContact::none;
    return along_the_edge();
  }

  Interval3 around(bool b, const Vec3& x) const {
    if (!b) return {x.x, x.y, x.z};
    const Vec3 c = placement_.place(x);
    const Interval e(-placement_.error(x), placement_.error(x));
    return {Interval(c.x) + e, Interval(c.y) + e, Interval(c.z) + e};
  }

  /// The intersection point as an interval, then the 2D test.
  std::optional<PointLocation> filtered() {
    const Interval3 u = around(of_b_, edge_[0]), v = around(of_b_, edge_[1]), o = around(!of_b_, polygon_[plane_[0]]);
    const Interval3 n = cross(around(!of_b_, polygon_[plane_[1]]) - o, around(!of_b_, polygon_[plane_[2]]) - o);
    const Interval t = dot(n, o - u) / dot(n, v - u);
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (component(n, k).magnitude() > component(n, axis).magnitude()) axis = k;
    double error = 0;
    double q[2];
    for (int k = 0; k < 2; ++k) {
      const int c = (axis + 1 + k) % 3;
      const Interval x = component(u, c) + component(v - u, c) * t;
      q[k] = x.lo * 0.5 + x.hi * 0.5;
      error = std::max({error, x.hi - q[k], q[k] - x.lo});
      if (!std::isfinite(q[k]) || !std::isfinite(error)) return std::nullopt;
    }
    std::vector<Point2> outline;
    for (const Vec3& corner : polygon_) {
      const Vec3 x = of_b_ ? corner : placement_.place(corner);
      if (!of_b_) error = std::max(error, placement_.error(corner));
      outline.push_back({x[(axis + 1) % 3], x[(axis + 2) % 3]});
    }
    return point_in_polygon_filter(outline, {q[0], q[1]}, error * (1 + 0x1p-50), counters_);
  }

  /// The one-shot test in the view along the edge: there the edge is the origin, a corner r that is not at the origin
  /// gives the ray's direction, and the cross product of two points is their orient3d with the edge.
  EdgeContact along_the_edge() {
    std::size_t r = polygon_.size();
    for (std::size_t i = 0; i < polygon_.size() && r == polygon_.size(); ++i) {
      load_edge();
      if (!p_.collinear(0, 1, add_corner(i))) r = i;
    }
    bool inside = false;
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      load_edge();
      const int ray = add_corner(r), a = add_corner(i), b = add_corner(next(i));
      const int turn = p_.orient3d(0, 1, a, b);
      if (turn == 0 && segments_meet(p_, {0, 1}, {a, b})) return EdgeContact::touching;
      const bool a_above = p_.orient3d(0, 1, ray, a) > 0, b_above = p_.orient3d(0, 1, ray, b) > 0;
      if (a_above != b_above && turn == (b_above ? 1 : -1)) inside = !inside;
    }
    return inside ? EdgeContact::crossing : EdgeContact::none;
  }

  /// An end of the edge lies in the polygon's plane: the one-shot test in a projection in which the plane does not
  /// degenerate to a line.
  bool end_in_polygon(std::size_t end) {
    p_.clear();
    for (const std::size_t i : plane_) add_corner(i);
    int axis = 0;
    while (axis < 2 && p_.orient2d(axis, 0, 1, 2) == 0) ++axis;
    const int vertical = (axis + 2) % 3;
    bool inside = false;
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      p_.clear();
      const int q = add(of_b_, edge_[end]), a = add_corner(i), b = add_corner(next(i));
      const int turn = p_.orient2d(axis, a, b, q);
      if (turn == 0 && segments_meet(p_, {q, q}, {a, b})) return true;
      const bool a_above = p_.compare(vertical, q, a) > 0, b_above = p_.compare(vertical, q, b) > 0;
      if (a_above != b_above && turn == (b_above ? 1 : -1)) inside = !inside;
    }
    return inside;
  }

  bool meets_outline() {
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      load_edge();
      const int a = add_corner(i), b = add_corner(next(i));
      if (segments_meet(p_, {0, 1}, {a, b})) return true;
    }
    return false;
  }

  const math::RelativePlacement& placement_;
  bool of_b_;
  const std::array<Vec3, 2>& edge_;
  std::span<const Vec3> polygon_;
  AllCounters& counters_;
  PlacedPoints p_;
  std::array<std::size_t, 3> plane_{};
};

}  // namespace

EdgeContact edge_polygon(const math::RelativePlacement& placement, bool edge_of_b, const std::array<Vec3, 2>& edge,
                         std::span<const Vec3> polygon, AllCounters& counters) {
  return Test(placement, edge_of_b, edge, polygon, counters).run();
}

}  // namespace graze::prim
