// SPDX-License-Identifier: MIT
#include "engine/first_contact/spans/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "body/node_box.hpp"
#include "engine/first_contact/pair/time_to_close.hpp"
#include "math/vectors.hpp"

namespace graze::engine::first_contact {

namespace {

using body::NodeBox;
using math::infinity;
using math::turned;

NodeBox box_of(const body::BodyData& body, Part part) {
  const bvh::WideNode& n = body.tree.tree.nodes[part.node_index()];
  return body::node_box(body.tree, n, part.is_triangle() ? static_cast<int>(part.slot()) : -1);
}

Vec3 column(const std::array<double, 9>& r, std::size_t k) { return {r[k], r[3 + k], r[6 + k]}; }

/// How far the box reaches from its centre along n.
double support(const std::array<double, 9>& r, const NodeBox& b, const Vec3& n) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += b.half[static_cast<int>(k)] * std::fabs(dot(n, column(r, k)));
  return sum;
}

/// Bounds of a block along n, as `CornerMotion` in pair_motion.cpp has them for corners: the points of the ball differ
/// from its centre by at most the radius, however they rotate.
struct BlockMotion {
  double at, speed, acceleration, most, reach, linear, grow = 0, drift_grow = 0, drift;
};

BlockMotion block_motion(const motion::Path& path, const motion::Instant& m, const motion::JointAxes& axes, double t,
                         const NodeBox& b, const Vec3& n) {
  BlockMotion s;
  const motion::Bounds& bounds = path.bounds();
  const Vec3 arm = turned(m.r, b.centre - path.reference()), nw = cross(n, m.w);
  const double nv = dot(n, m.v), turning = std::sqrt(dot(nw, nw));
  s.at = dot(n, m.o + arm) + support(m.r, b, n);
  s.speed = nv + dot(nw, arm) + turning * b.radius;
  if (!bounds.twist) {
    const double far = std::sqrt(dot(arm, arm)) + b.radius;
    s.speed += bounds.velocity_error + bounds.turn_velocity_error * far;
    s.acceleration = bounds.acceleration + bounds.turn_acceleration * far;
    s.most = bounds.speed + bounds.turn_speed * far;
    s.reach = infinity;
    s.linear = s.drift = 0;
    if (const motion::DirectedBounds* directed = path.directed()) {  // as in pair_motion.cpp
      const motion::DirectedRise d = motion::directed_rise(*directed, axes, n, 1 - t);
      s.linear = dot(n, axes.slide);
      s.acceleration = d.acceleration + d.turn_acceleration * far;
      s.most = d.speed + d.turn_speed * far;
      s.grow = d.growth + d.turn_growth * far;
      s.reach = dot(n, m.o) + far;
      s.drift = s.linear + d.speed;
      s.drift_grow = d.growth;
    }
    return s;
  }
  s.linear = s.drift = nv;
  const double w2 = dot(m.w, m.w), w = std::sqrt(w2);
  const Vec3 wr = cross(m.w, arm);
  const double sideways = std::sqrt(dot(wr, wr));
  s.acceleration = turning * (sideways + w * b.radius);
  if (w2 == 0) {
    s.most = 0;
    s.reach = s.at;
  } else if (w2 < 0x1p-800) {  // squares underflow, but such a turn is negligible
    s.most = w * (std::sqrt(dot(arm, arm)) + b.radius) + std::numeric_limits<double>::min();
    s.reach = infinity;
  } else {
    s.most = s.acceleration / w;
    // The centre's part along the axis is constant; the part perpendicular to it can at most point along n.
    s.reach = dot(n, m.o) + dot(n, m.w) * dot(m.w, arm) / w2 + turning * sideways / w2 + b.radius;
  }
  return s;
}

class Descent {
 public:
  Descent(const Stage& stage, core::Steps& budget, AllCounters& counters, std::vector<NearPair>& out)
      : stage_(stage), f_(stage.flight()), budget_(budget), counters_(counters), out_(out) {}

  bool run() {
    stack_.push_back({0, Part::node(0), Part::node(0), 0});
    while (!stack_.empty()) {
      if (!budget_.take()) return false;
      ++counters_.queue_pops;
      const Clock c = stack_.back();
      stack_.pop_back();
      if (!(c.a.is_triangle() && c.b.is_triangle()))
        open(c);
      else if (!advance_triangles(c))
        return false;
    }
    return true;
  }

 private:
  static std::uint32_t triangle(const body::BodyData& body, Part p) {
    return body.tree.triangle(body.tree.tree.nodes[p.node_index()].first + p.slot());
  }

  /// Replaces the larger part by its children, each pair with its own clock.
  void open(const Clock& c) {
    ++counters_.node_pairs;
    const NodeBox a = box_of(f_.a, c.a), b = box_of(f_.b, c.b);
    const bool open_b = !c.b.is_triangle() && (c.a.is_triangle() || b.radius > a.radius);
    const std::uint32_t index = open_b ? c.b.node_index() : c.a.node_index();
    const bvh::WideNode& node = (open_b ? f_.b : f_.a).tree.tree.nodes[index];
    const Stage::Instant now = stage_.at(c.time);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Part child = node.bottom ? Part::triangle(index, i) : Part::node(node.first + i);
      const NodeBox box = box_of(open_b ? f_.b : f_.a, child);
      const double next = open_b ? settle(now, a, box) : settle(now, box, b);
      if (next <= 1) stack_.push_back({next, open_b ? c.a : child, open_b ? child : c.b, 0});
    }
  }

  /// A pair that advances far is tried again from there before it is opened, which is cheaper than testing its
  /// children.
  double settle(const Stage::Instant& start, const NodeBox& a, const NodeBox& b) {
    double t = block_step(start, a, b);
    for (int i = 0; i < 8 && t < 1; ++i) {
      const double next = t > start.t ? block_step(stage_.at(t), a, b) : t;
      if (!(next - t > 0.05 * (1 - t))) return std::max(t, next);
      t = next;
    }
    return t;
  }

  /// The time until which two blocks are certified to stay more than the tolerance apart: the latest of several
  /// directions.
  double block_step(const Stage::Instant& now, const NodeBox& a, const NodeBox& b) {
    ++counters_.motion_box_tests;
    const bool kinematic = stage_.kinematic();
    const auto& ra = kinematic ? now.moment.a.r : now.places.a.r;
    const auto& rb = kinematic ? now.moment.b.r : now.places.b.r;
    Vec3 ca = now.places.a.apply(a.centre), cb = now.places.b.apply(b.centre);
    if (kinematic) {
      ca = now.moment.a.o + turned(ra, a.centre - f_.motion_a.reference());
      cb = now.moment.b.o + turned(rb, b.centre - f_.motion_b.reference());
    }
    const Vec3 line = cb - ca;
    const double keep = f_.tolerance + now.error;
    double best = now.t, widest = 0;
    Vec3 along;
    const auto consider = [&](const Vec3& direction) {
      const double size = std::sqrt(dot(direction, direction));
      if (!(size > 0) || !std::isfinite(size) || best > 1) return;
      const Vec3 n = direction * ((dot(direction, line) < 0 ? -1 : 1) / size);
      const double gap = dot(n, line) - support(ra, a, n) - support(rb, b, n) - keep;
      if (!(gap > 0)) return;
      if (kinematic) best = std::max(best, after(now.t, kinematic_time(now.moment, a, b, n, keep)));
      if (gap > widest) widest = gap, along = n;
    };
    consider(line);
    for (std::size_t k = 0; k < 3; ++k) {
      consider(column(ra, k));
      consider(column(rb, k));
    }
    if (kinematic || !(widest > 0)) return best;
    return stage_.own().step(now.t, along, widest, {a.centre, a.radius}, {b.centre, b.radius});
  }

  double kinematic_time(const Moment& m, const NodeBox& a, const NodeBox& b, const Vec3& n, double keep) const {
    const BlockMotion x = block_motion(f_.motion_a, m.a, m.axes_a, m.t, a, n);
    const BlockMotion y = block_motion(f_.motion_b, m.b, m.axes_b, m.t, b, -n);
    const double gap = -(x.at + y.at) - keep, most = x.linear + y.linear + x.most + y.most;
    if (!(gap > 0)) return 0;
    // docs/design.md 4 (ii), (i), (iii): each bounds the whole step, so the best of them may be used.
    double time = time_to_close(gap, x.speed + y.speed, x.acceleration + y.acceleration);
    time = std::max(time, time_at_most(gap, most, x.grow + y.grow));
    const double clear = -(x.reach + y.reach) - keep;
    if (clear > 0) time = std::max(time, time_at_most(clear, x.drift + y.drift, x.drift_grow + y.drift_grow));
    return time;
  }

  static double after(double t, double safe) { return t + safe > 1 ? infinity : std::max(t, next_down(t + safe)); }

  /// Advances two triangles along their closest direction as far as is certified. Pairs that come within twice the
  /// tolerance are decided by their features. False: the budget ran out.
  bool advance_triangles(const Clock& c) {
    const std::uint32_t ta = triangle(f_.a, c.a), tb = triangle(f_.b, c.b);
    LocalPoints a, b;
    for (std::size_t k = 0; k < 3; ++k) a[k] = f_.a.corner(ta, k), b[k] = f_.b.corner(tb, k);
    for (double t = c.time; t <= 1;) {
      if (!budget_.take()) return false;
      ++counters_.motion_steps;
      const Stage::Instant now = stage_.at(t);
      const MovingPair p = stage_.place(now, a, b);
      prim::ClosestPair closest = prim::closest_triangle_triangle(p.a, p.b);
      const double keep = f_.tolerance + now.error;
      double next = t;
      if (distance_of(closest) > 2 * keep) {
        const Separation s = best_separation(p, closest);
        if (s.apart > keep) next = stage_.step(now, p, a, b, s.n, f_.tolerance);
      }
      if (!(next > t)) {
        out_.push_back({ta, tb, t});
        return true;
      }
      t = next;
    }
    ++counters_.finished_by_parting;
    return true;
  }

  const Stage& stage_;
  const Flight& f_;
  core::Steps& budget_;
  AllCounters& counters_;
  std::vector<NearPair>& out_;
  std::vector<Clock> stack_;
};

}  // namespace

bool find_near_pairs(const Stage& stage, core::Steps& budget, AllCounters& counters, std::vector<NearPair>& out) {
  return Descent(stage, budget, counters, out).run();
}

}  // namespace graze::engine::first_contact
