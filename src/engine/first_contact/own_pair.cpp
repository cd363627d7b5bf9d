// SPDX-License-Identifier: MIT
#include "engine/first_contact/own_pair.hpp"

#include <algorithm>
#include <cmath>

#include "body/node_box.hpp"
#include "engine/first_contact/clocks/clocks.hpp"
#include "math/vectors.hpp"
#include "motion/interval_matrix.hpp"

namespace graze::engine::first_contact {

namespace {

using math::infinity;

LocalBall ball_of(const body::BodyData& body, std::uint32_t triangle) {
  const Vec3 &p = body.corner(triangle, 0), &q = body.corner(triangle, 1), &r = body.corner(triangle, 2);
  const Vec3 centre = (p + q + r) * (1.0 / 3);
  const double radius = std::max({length(p - centre), length(q - centre), length(r - centre)});
  return {centre, radius * (1 + 0x1p-45)};
}

LocalBall ball_of(const body::BodyData& body, Part part) {
  const bvh::WideNode& n = body.tree.tree.nodes[part.node_index()];
  if (part.is_triangle()) return ball_of(body, body.tree.triangle(n.first + part.slot()));
  const body::NodeBox box = body::node_box(body.tree, n);
  return {box.centre, box.radius};
}

double spread(const IntervalPlacement& p, double far) { return motion::radius(p.t) + motion::radius(p.r) * far; }

Placement middle(const IntervalPlacement& p) {
  Placement m;
  for (std::size_t i = 0; i < 9; ++i) m.r[i] = motion::middle(p.r[i]);
  m.t = motion::middle(p.t);
  return m;
}

}  // namespace

LocalBall OwnPairs::ball_a(std::uint32_t triangle) const { return ball_of(f_.a, triangle); }
LocalBall OwnPairs::ball_b(std::uint32_t triangle) const { return ball_of(f_.b, triangle); }

OwnPairs::Moment OwnPairs::at(double t) const {
  const IntervalPlacement a = f_.motion_a.over(Interval(t)), b = f_.motion_b.over(Interval(t));
  Moment m{middle(a), middle(b), 0};
  const double far_a = farthest(f_.a.mesh.box(), {}), far_b = farthest(f_.b.mesh.box(), {});
  m.error = spread(a, far_a) + spread(b, far_b) + 64 * 0x1p-53 * (length(m.a.t) + length(m.b.t) + far_a + far_b) +
            underflow_bound;
  m.b.t = m.b.t - m.a.t;
  m.a.t = {};
  return m;
}

double OwnPairs::step(double t, const Vec3& n, double apart, const LocalBall& a, const LocalBall& b) const {
  // The two travels bound how far the gap closes until t1. The step is shortened until they fit.
  for (double span = 1 - t; t + span > t; span *= 0.5) {
    const double end = std::min(1.0, t + span);
    const double closing =
        f_.motion_a.travel(n, a.centre, a.radius, t, end) + f_.motion_b.travel(-n, b.centre, b.radius, t, end);
    if (closing * (1 + 0x1p-50) < apart) return end >= 1 ? infinity : end;
  }
  return t;
}

double OwnPairs::advance(double t, std::uint32_t ta, std::uint32_t tb, double target, double& distance,
                         double& error) const {
  const Moment m = at(t);
  MovingPair p;
  for (std::size_t k = 0; k < 3; ++k) {
    p.a[k] = m.a.apply(f_.a.corner(ta, k));
    p.b[k] = m.b.apply(f_.b.corner(tb, k));
  }
  prim::ClosestPair c = prim::closest_triangle_triangle(p.a, p.b);
  distance = distance_of(c);
  error = m.error;
  if (!(distance > target + error)) return t;
  const Separation s = best_separation(p, c);
  distance = distance_of(c);
  if (!(s.apart > target + error)) return t;
  return step(t, s.n, s.apart - target - error, ball_a(ta), ball_b(tb));
}

std::optional<double> OwnPairs::solve(std::uint32_t ta, std::uint32_t tb, double until, core::Steps& budget,
                                      AllCounters& counters) const {
  ++counters.motion_solved;
  for (double t = 0; t <= until;) {
    if (!budget.take()) return std::nullopt;
    ++counters.motion_steps;
    double distance, error;
    const double separation = f_.options.min_separation;  // 0, or kept: steps stop half-way above it
    const double next = advance(t, ta, tb, separation + 0.5 * (f_.tolerance - separation), distance, error);
    if (distance + error <= f_.tolerance || !(next > t)) return t;
    t = next;
  }
  return infinity;
}

namespace {

/// Best-first search over balls around the nodes; the caller handles pairs of triangles.
class OwnClocks {
 public:
  OwnClocks(const Flight& f, const OwnPairs& pairs, AllCounters& counters) : f_(f), pairs_(pairs), counters_(counters) {
    push(0, Part::node(0), Part::node(0));
  }

  bool empty() const { return queue_.empty(); }
  double earliest() const { return queue_.earliest(); }
  void push(double time, Part a, Part b) {
    if (time > 1) return;
    queue_.push({time, a, b, 0});
  }
  Clock pop() {
    ++counters_.queue_pops;
    return queue_.pop();
  }
  std::uint32_t triangle_a(const Clock& c) const { return triangle(f_.a, c.a); }
  std::uint32_t triangle_b(const Clock& c) const { return triangle(f_.b, c.b); }

  /// Replaces the larger part by its children. Each pair gets a clock of its own that keeps `target`.
  void open(const Clock& c, double target) {
    ++counters_.node_pairs;
    const OwnPairs::Moment m = pairs_.at(c.time);
    const bool open_b =
        !c.b.is_triangle() && (c.a.is_triangle() || ball_of(f_.b, c.b).radius > ball_of(f_.a, c.a).radius);
    const std::uint32_t index = open_b ? c.b.node_index() : c.a.node_index();
    const bvh::WideNode& node = (open_b ? f_.b : f_.a).tree.tree.nodes[index];
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Part child = node.bottom ? Part::triangle(index, i) : Part::node(node.first + i);
      const Part a = open_b ? c.a : child, b = open_b ? child : c.b;
      push(safe_until(c.time, m, a, b, target), a, b);
    }
  }

 private:
  static std::uint32_t triangle(const body::BodyData& body, Part p) {
    return body.tree.triangle(body.tree.tree.nodes[p.node_index()].first + p.slot());
  }
  /// A time until which two parts are certified to stay more than the target apart.
  double safe_until(double t, const OwnPairs::Moment& m, Part a, Part b, double target) {
    ++counters_.motion_box_tests;
    const LocalBall x = ball_of(f_.a, a), y = ball_of(f_.b, b);
    const Vec3 line = m.b.apply(y.centre) - m.a.apply(x.centre);
    const double d = std::sqrt(dot(line, line)), apart = d - x.radius - y.radius - target - m.error;
    return apart > 0 ? pairs_.step(t, line * (1 / d), apart, x, y) : t;
  }

  const Flight& f_;
  const OwnPairs& pairs_;
  AllCounters& counters_;
  ClockQueue queue_;
};

bool triangles(const Clock& c) { return c.a.is_triangle() && c.b.is_triangle(); }

}  // namespace

void run_own_clocks(const Flight& f, Found& found) {
  const OwnPairs pairs(f);
  Earliest earliest;
  core::Steps budget(f.options.work);
  AllCounters& counters = found.counters;
  OwnClocks clocks(f, pairs, counters);
  const auto undecided = [&](double safe) {
    found.status = Status::undecided;
    found.safe = std::min(safe, earliest.limit());
  };
  while (!clocks.empty() && clocks.earliest() <= earliest.limit()) {
    if (!budget.take()) return undecided(clocks.earliest());
    const Clock c = clocks.pop();
    if (!triangles(c)) {
      clocks.open(c, f.tolerance);
      continue;
    }
    const std::uint32_t ta = clocks.triangle_a(c), tb = clocks.triangle_b(c);
    ++counters.motion_steps;
    double distance, error;
    const double next = pairs.advance(c.time, ta, tb, f.tolerance, distance, error);
    const double separation = f.options.min_separation;
    if (distance - separation > 2 * (f.tolerance - separation) && next > c.time) {
      clocks.push(next, c.a, c.b);
      continue;
    }
    const std::optional<double> touch = pairs.solve(ta, tb, earliest.limit(), budget, counters);
    if (!touch) return undecided(c.time);
    earliest.offer(*touch, ta, tb);
  }
  report(earliest, found);
}

bool run_own_clearance(const Flight& f, LeastDistance& least, AllCounters& counters) {
  const OwnPairs pairs(f);
  OwnClocks clocks(f, pairs, counters);
  core::Steps budget(f.options.work);
  while (!clocks.empty()) {
    if (!budget.take()) return false;
    const Clock c = clocks.pop();
    if (!triangles(c)) {
      clocks.open(c, least.kept());
      continue;
    }
    ++counters.motion_steps;
    const std::uint32_t ta = clocks.triangle_a(c), tb = clocks.triangle_b(c);
    double distance, error;
    double next = pairs.advance(c.time, ta, tb, least.kept(), distance, error);
    least.offer(distance + error, c.time);
    double kept = least.kept();
    // A pair that is nearer than the kept share lowers it, and then advances. If the caller's bounds are too rough for
    // that, half of the distance is kept, then half of that, and so on.
    for (; !(next > c.time) && kept > f.tolerance; kept *= 0.5) {
      next = pairs.advance(c.time, ta, tb, kept, distance, error);
      if (next > c.time) least.floor = std::min(least.floor, kept);
    }
    if (!(next > c.time)) {
      least.floor = 0;  // nothing is certified about later times
      continue;
    }
    clocks.push(next, c.a, c.b);
  }
  return true;
}

}  // namespace graze::engine::first_contact
