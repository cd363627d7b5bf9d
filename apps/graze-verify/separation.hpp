// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interval.hpp"
#include "motion.hpp"
#include "subject.hpp"

namespace verify {

inline constexpr std::size_t most_instants = std::size_t{1} << 20;  // of one separation

/// The points in time that all separations of a proof evaluate, each in a time that grows with the number of vertices.
struct Instants {
  std::size_t used = 0;
  std::optional<std::size_t> most;  ///< the caller's limit

  /// Counts one more, of a separation that has used `of_one`.
  void take(std::size_t& of_one) {
    if (++of_one > most_instants) throw Rejected("it cannot be confirmed within 2^20 instants");
    if (most && used >= *most)
      throw Rejected("not confirmed within --most-instants=" + std::to_string(*most) + ", which may be raised");
    ++used;
  }
};

/// The vertices of a body relative to the reference point of its motion. Those of a range of its items are selected.
class Body {
 public:
  const Motion motion;
  const Geometry geometry;

  Body(Geometry parts, const Motion& m)
      : motion(m), geometry(std::move(parts)), seen_(geometry.vertices.size()), placed_(1024) {
    const Point& r = motion.reference();
    for (const Vec& p : geometry.vertices) {
      const Vec local = p - vec(r.data());
      const Interval along = motion.along(local);
      const auto from_reference = [&](std::size_t k) {
        return (p[k].lo == p[k].hi ? p[k].lo : p[k].mid()) - Real(r[k]);
      };
      Vertex v{from_reference(0), from_reference(1), from_reference(2), along.mid(), motion.across(local)};
      v.along_error = along.radius();
      for (const Interval& x : local) v.size = larger(v.size, x.magnitude());
      for (const Interval& x : p)
        if (x.lo != x.hi) v.error = larger(v.error, x.radius());
      vertices_.push_back(v);
    }
  }

  std::size_t items() const { return geometry.items.size(); }

  /// Selects these items: the vertices of triangles, the corners and the radius of solids.
  void select(std::size_t first, std::size_t last) {
    if (first == first_ && last == last_) return;
    first_ = first, last_ = last;
    selected_.clear();
    bulges_.clear();
    size_ = along_error_ = vertex_error_ = largest_radius_ = 0;
    ++round_;
    for (std::size_t i = first; i < last; ++i) {
      const Geometry::Item& item = geometry.items[i];
      if (item.solid != Geometry::none)
        select_solid(geometry.solids[item.solid]);
      else
        for (const std::uint32_t v : item.triangle)
          if (std::exchange(seen_[v], round_) != round_) take(vertices_[v]), selected_.push_back(vertices_[v]);
    }
  }

  /// An upper bound of direction . x over the points x (local, from the reference point). The products with the
  /// midpoints of the direction's intervals are off by the radii of the intervals, and by the rounding of x, of the
  /// products and of the sums: at most five epsilon times |d|_1 |x|_max; ten are used. A vertex of a solid with a
  /// radius reaches further by |d| times that.
  Real furthest(const Vec& direction) const {
    const Real x = direction[0].mid(), y = direction[1].mid(), z = direction[2].mid();
    Interval error, sum;
    for (const Interval& d : direction) {
      error = error + d.radius() + Interval(10 * Limits::epsilon()) * d.magnitude();
      sum = sum + d.magnitude();
    }
    const Real size = largest_radius_ > 0 ? length(direction).hi : 0;
    Real most = -Limits::infinity();
    for (const Vertex& v : selected_) most = larger(most, x * v.x + y * v.y + z * v.z + size * v.radius);
    const Interval rest =
        error * size_ + sum * vertex_error_ + Interval(10 * Limits::epsilon()) * size * largest_radius_;
    Real furthest = selected_.empty() ? most : (most + rest).hi;
    for (const Geometry::Solid* solid : bulges_) furthest = larger(furthest, support(*solid, direction));
    return furthest;
  }

  /// An upper bound of n . R(t) x for any t: a constant part along the axis, and a rotating part, which is at most the
  /// product of both distances from the axis. Rounding as above; neither part of x is larger than twice its size. The
  /// corners around a solid reach as far as it does, or further.
  Real reach(const Interval& n_along, Real n_across, Real n_length) const {
    if (endless()) return Limits::infinity();
    const Real n = n_along.mid();
    Real most = -Limits::infinity();
    const auto reached = [&](const Vertex& v) {
      most = larger(most, n * v.along + n_across * v.across + n_length * v.radius);
    };
    for (const Vertex& v : selected_) reached(v);
    for (const Geometry::Solid* solid : bulges_)
      for (std::uint32_t i = solid->first; i < solid->last; ++i) reached(with_radius(vertices_[i], solid->core.radius));
    const Interval epsilon(10 * Limits::epsilon());
    const Interval relative = n_along.radius() + epsilon * (Interval(n_across) + n_along.magnitude());
    return (most + relative * 2 * size_ + Interval(n_along.magnitude()) * along_error_ +
            epsilon * n_length * largest_radius_)
        .hi;
  }

  /// An upper bound of the second derivative of n . R(t) x. A radius adds the same in every direction.
  Real curvature(Real n_across) const { return (Interval(n_across) * motion.turning() * farthest_across()).hi; }

  /// Upper bounds of the distance of the vertices from the axis, and from the reference point in any coordinate,
  /// without the radii.
  Real farthest_across() const {
    Real most = 0;
    for (const Vertex& v : selected_) most = larger(most, v.across);
    for (const Geometry::Solid* solid : bulges_)
      for (std::uint32_t i = solid->first; i < solid->last; ++i) most = larger(most, vertices_[i].across);
    return most;
  }
  Real size() const { return size_; }

  struct Placed {
    double t = -1;
    Mat to_local;
    Vec path;
  };
  /// The placement at t. Many separations begin and end at the same times, so a few hundred placements are cached.
  const Placed& at(double t) {
    Placed& placed = placed_[(std::bit_cast<std::uint64_t>(t) * 0x9e3779b97f4a7c15u) >> 54];
    if (placed.t != t) placed = {t, transposed(motion.rotation(t)), motion.path(t)};
    const auto is_bounded = [](const Interval& x) { return x.lo > -Limits::infinity() && x.hi < Limits::infinity(); };
    for (const Interval& x : placed.path)
      if (!is_bounded(x)) throw Rejected("the motion cannot be bounded");
    for (const auto& row : placed.to_local)
      for (const Interval& x : row)
        if (!is_bounded(x)) throw Rejected("the motion cannot be bounded");
    return placed;
  }

 private:
  struct Vertex {
    Real x, y, z, along, across, radius = 0;
    Real size = 0, error = 0, along_error = 0;  // largest coordinate; errors of the coordinates, and of `along`
  };

  void take(const Vertex& v) {
    size_ = larger(size_, v.size);
    vertex_error_ = larger(vertex_error_, v.error);
    along_error_ = larger(along_error_, v.along_error);
  }

  static Vertex with_radius(Vertex v, Real radius) {
    v.radius = radius;
    return v;
  }

  void select_solid(const Geometry::Solid& solid) {
    largest_radius_ = larger(largest_radius_, solid.core.radius);
    for (std::uint32_t i = solid.first; i < solid.last; ++i) take(vertices_[i]);
    if (solid.core.bulges) return bulges_.push_back(&solid);
    for (std::uint32_t i = solid.first; i < solid.last; ++i)
      selected_.push_back(with_radius(vertices_[i], solid.core.radius));
  }

  /// A solid that no corners contain: a half-space. Only a direction that is fixed in it can separate it.
  bool endless() const {
    return std::any_of(bulges_.begin(), bulges_.end(), [](const Geometry::Solid* s) { return s->core.endless(); });
  }

  /// At most this far from the reference point along d, radius included.
  Real support(const Geometry::Solid& solid, const Vec& d) const {
    if (solid.core.endless() && geometry.items.size() > 1) return Limits::infinity();  // no piece of a compound
    const Real own = solid.core.support(solid.core.endless() ? d : transposed(solid.turn) * d);
    if (!(own < Limits::infinity())) return own;
    return (Interval(own) + dot(d, solid.shift - vec(motion.reference().data())) + length(d) * solid.core.radius).hi;
  }

  std::vector<Vertex> vertices_, selected_;
  std::vector<const Geometry::Solid*> bulges_;  // selected
  std::vector<std::size_t> seen_;
  std::vector<Placed> placed_;
  std::size_t round_ = 0, first_ = 0, last_ = 0;
  Real size_ = 0, along_error_ = 0, vertex_error_ = 0, largest_radius_ = 0;  // of what is selected
};

/// Whether (1 - u) g + u h - k u (1 - u) > 0 for every u in [0, 1]. It is a parabola; if its lowest point is between
/// the ends, it is min(g, h) - (k - |g - h|)^2 / (4 k) there, and not less than min(g, h) - k / 4.
inline bool stays_positive(Real g, Real h, Real k) {
  if (!(g > 0) || !(h > 0) || !(k >= 0)) return false;  // not a number: not positive
  const Real low = std::min(g, h);
  const Interval rest = Interval(k) - (Interval(std::max(g, h)) - low);
  return k < low || rest.hi <= 0 || (rest * rest).hi < (Interval(4) * k * low).lo;
}

/// One separation. With G(t) = min over B of n.x(t) - max over A of n.x(t) on a time interval [t0, t1], G is at least
/// the straight line between its values at the ends, less M (t - t0) (t1 - t) / 2: n.x(t) of every vertex is within
/// that of its own straight line, where M bounds second derivatives; and a maximum of straight lines lies below the
/// line between its ends. The values of a body at the ends may be replaced by its reach, which holds all the time and
/// has M = 0. They are to be further apart than `keep`: that times |n| is subtracted from G.
class Separation {
 public:
  Separation(Body& a, Body& b, const std::array<double, 3>& n, double keep, Instants& instants)
      : a_(a), b_(b), n_(vec(n.data())), instants_(instants) {
    const Real across_a = a.motion.world_across(n_), across_b = b.motion.world_across(n_), size = length(n_).hi;
    keep_ = keep > 0 ? (Interval(keep) * size).hi : 0;
    reach_a_ = a.reach(a.motion.world_along(n_), across_a, size);
    reach_b_ = b.reach(-b.motion.world_along(n_), across_b, size);
    path_curvature_ =
        (Interval(across_a) * a.motion.path_acceleration() + Interval(across_b) * b.motion.path_acceleration()).hi;
    curvature_a_ = a.curvature(across_a);
    curvature_b_ = b.curvature(across_b);
  }

  bool holds(double from, double to) { return holds(at(from), at(to)); }

 private:
  struct Instant {
    double t;
    Real apart;  // at most n . (path of B - path of A), less the separation times |n|
    Real a, b;   // at least the largest n . R x of A, and of -n . R x of B
    Real gap() const { return (Interval(apart) - Interval(a) - Interval(b)).lo; }
  };

  Instant at(double t) {
    instants_.take(used_);
    const Body::Placed &a = a_.at(t), &b = b_.at(t);
    const Vec minus{-n_[0], -n_[1], -n_[2]};
    const Interval apart = dot(n_, b.path - a.path);
    return {t, keep_ > 0 ? (apart - Interval(keep_)).lo : apart.lo, a_.furthest(a.to_local * n_),
            b_.furthest(b.to_local * minus)};
  }

  bool holds(const Instant& s, const Instant& e) {
    if (confirmed(s, e)) return true;
    const double middle = s.t + (e.t - s.t) / 2;
    if (!(s.gap() > 0) || !(e.gap() > 0) || middle <= s.t || middle >= e.t) return false;
    const Instant m = at(middle);
    return holds(s, m) && holds(m, e);
  }

  bool confirmed(const Instant& s, const Instant& e) const {
    const Interval time = Interval(e.t) - Interval(s.t), half_square = Interval(0.5L) * time * time;
    for (int choice = 0; choice < 4; ++choice) {
      const bool a = (choice & 1) != 0, b = (choice & 2) != 0;
      Instant first = s, last = e;
      if (a) first.a = last.a = reach_a_;
      if (b) first.b = last.b = reach_b_;
      const Interval bound =
          Interval(path_curvature_) + Interval(a ? 0 : curvature_a_) + Interval(b ? 0 : curvature_b_);
      if (stays_positive(first.gap(), last.gap(), (bound * half_square).hi)) return true;
    }
    return false;
  }

  Body &a_, &b_;
  Vec n_;
  Instants& instants_;
  std::size_t used_ = 0;
  Real keep_ = 0, reach_a_ = 0, reach_b_ = 0, path_curvature_ = 0, curvature_a_ = 0, curvature_b_ = 0;
};

}  // namespace verify
