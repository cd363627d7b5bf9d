// SPDX-License-Identifier: MIT
#include "engine/first_contact/spans/contact_spans.hpp"

#include <algorithm>
#include <cmath>

#include "engine/first_contact/witness.hpp"
#include "math/vectors.hpp"

namespace graze::engine::first_contact {

namespace {

using math::infinity;
using math::norm;

/// A user-defined motion has no acceleration bounds: while in contact it is sampled this often.
constexpr double own_span = 0x1p-14;

struct Offer {
  Vec3 a, b;
  double distance, along;
};

/// Two edges, each {p, q, q}. Where they are nearly parallel, the crossing point of their lines is mostly rounding
/// error, and the end points are more accurate.
Offer closest_edges(const MovingPair& m) {
  using Segment = std::array<Vec3, 2>;
  const auto offer = [](const Segment& p, const Segment& q) {
    const prim::SegmentPair s = prim::closest_segment_segment_any_size(p, q);
    return Offer{s.a, s.b, scaled_length(s.b - s.a), s.s};
  };
  const Segment a{m.a[0], m.a[1]}, b{m.b[0], m.b[1]};
  Offer best = offer(a, b);
  for (std::size_t k = 0; k < 2; ++k) {
    Offer from_a = offer({a[k], a[k]}, b);
    from_a.along = static_cast<double>(k);
    const Offer from_b = offer(a, {b[k], b[k]});
    if (from_a.distance < best.distance) best = from_a;
    if (from_b.distance < best.distance) best = from_b;
  }
  return best;
}

/// Not normalised, so that no size of the triangle makes it overflow or underflow.
Vec3 face_normal(const std::array<Vec3, 3>& t) {
  return cross(math::of_size_one(t[1] - t[0]), math::of_size_one(t[2] - t[0]));
}

}  // namespace

SpanFinder::SpanFinder(const Stage& stage, std::span<const ElementaryPair> parts, core::Steps budget)
    : stage_(stage), f_(stage.flight()), pairs_(parts), kind_(parts.front().feature.kind), budget_(budget) {
  for (const ElementaryPair& p : parts) parts_.push_back({p.points_a(f_.a), p.points_b(f_.b), p.time});
}

bool SpanFinder::take() {
  ++steps_;
  if (!budget_.take()) exhausted_ = true;
  return !exhausted_;
}

SpanFinder::PartDistance SpanFinder::look(const Stage::Instant& now, const Part& part) const {
  PartDistance near{stage_.place(now, part.a, part.b), {}, 0, 0};
  const MovingPair& p = near.p;
  if (kind_ == FeatureKind::edge_edge) {
    const Offer o = closest_edges(p);
    near.closest.a = o.a;
    near.closest.b = o.b;
    near.along = o.along;
  } else if (kind_ == FeatureKind::vertex_face) {
    near.closest.a = p.a[0];
    near.closest.b = prim::closest_point_triangle_any_size(p.a[0], p.b).point;
  } else {
    near.closest.b = p.b[0];
    near.closest.a = prim::closest_point_triangle_any_size(p.b[0], p.a).point;
  }
  const Vec3 d = near.closest.b - near.closest.a;
  near.closest.squared = dot(d, d);
  near.distance = distance_of(near.closest);
  return near;
}

bool SpanFinder::run(std::vector<ContactEvent>& events) {
  for (;;) {
    const double t = next_touch();
    if (exhausted_) return false;
    if (!(t <= 1)) return true;
    ContactEvent e = event(t);
    e.until = end_of_span(t);
    if (exhausted_) return false;
    events.push_back(e);
    if (e.until >= 1) return true;
    for (Part& part : parts_) part.clock = std::max(part.clock, e.until);
  }
}

double SpanFinder::next_touch() {
  for (;;) {
    // Every part is certified apart before its own clock; the earliest clock holds for the feature pair.
    Part& part =
        *std::min_element(parts_.begin(), parts_.end(), [](const Part& x, const Part& y) { return x.clock < y.clock; });
    if (!(part.clock <= 1) || !take()) return infinity;
    const Stage::Instant now = stage_.at(part.clock);
    PartDistance near = look(now, part);
    if (near.distance + now.error <= f_.tolerance) return part.clock;
    const Separation s = best_separation(near.p, near.closest);
    if (distance_of(near.closest) + now.error <= f_.tolerance) return part.clock;
    // As in PairMotion::solve, steps stop at half the tolerance, so every step has a positive length.
    const double target = within(0.5);
    const double next = s.apart > target ? stage_.step(now, near.p, part.a, part.b, s.n, target) : part.clock;
    if (!(next > part.clock)) return part.clock;
    part.clock = next;
  }
}

/// Every step from one instant to the next is certified to stay within three tolerances (`stays_within`, or by speed
/// alone), and each instant but the last is not certified to be more than two apart. With a separation: more than it.
double SpanFinder::end_of_span(double t) {
  const auto look_at = [&](const Stage::Instant& now) {
    std::vector<PartDistance> seen;
    for (const Part& part : parts_) seen.push_back(look(now, part));
    return seen;
  };
  double fastest = 0;
  for (const Part& part : parts_) fastest = std::max(fastest, speed_between(part));
  double span = 1 - t;
  std::vector<PartDistance> seen = look_at(stage_.at(t));
  while (t < 1 && take()) {
    double nearest = infinity;
    for (const PartDistance& n : seen) nearest = std::min(nearest, n.distance);
    const double margin = std::max(within(3) - nearest - 2 * f_.rounding, 0.25 * (f_.tolerance - separation()));
    double least = stage_.kinematic() ? (fastest > 0 ? margin / fastest : 1) : own_span;
    if (!(t + least > t)) least = next_up(t) - t;
    span = std::max(std::min(span, 1 - t), least);
    const double to = span >= 1 - t ? 1 : t + span;
    const Stage::Instant next = stage_.at(to);
    std::vector<PartDistance> then = look_at(next);
    if (span > least && !stays_within(to - t, seen, then)) {
      span *= 0.5;
      continue;
    }
    if (all_apart(next, then, within(2))) return to;
    t = to;
    seen = std::move(then);
    span *= 2;
  }
  return 1;
}

bool SpanFinder::all_apart(const Stage::Instant& now, const std::vector<PartDistance>& seen, double distance) const {
  return std::all_of(seen.begin(), seen.end(), [&](const PartDistance& near) {
    prim::ClosestPair closest = near.closest;
    return near.distance > distance + now.error && best_separation(near.p, closest).apart > distance + now.error;
  });
}

/// In the frame of one of the bodies, say B, a point q of A moves past a part of B that is static and convex. At both
/// ends of the span q is at most d from it. So is the whole chord between the two positions, because the distance from
/// a convex set is convex along a line. The path is off its chord by at most |q''| span^2 / 8. If q is on an edge e of
/// A, it moves uniformly along the edge from the closest point at one end of the span to that at the other. With u its
/// position on the edge, this adds 2 |u'| |e'| to |q''|; the edge rotates no faster than both bodies together.
bool SpanFinder::stays_within(double span, const std::vector<PartDistance>& from,
                              const std::vector<PartDistance>& to) const {
  if (!stage_.kinematic()) return false;
  const double turn = f_.motion_a.bounds().turn_speed + f_.motion_b.bounds().turn_speed;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    double off = 0.125 * acceleration_between(parts_[i]) * span * span;
    if (kind_ == FeatureKind::edge_edge)
      off +=
          0.25 * span * std::fabs(to[i].along - from[i].along) * turn * scaled_length(from[i].p.a[1] - from[i].p.a[0]);
    if (std::max(from[i].distance, to[i].distance) + off * (1 + 0x1p-40) + 2 * f_.rounding <= within(3)) return true;
  }
  return false;
}

/// A bound of |q''| in the frame of the other body, o its reference point, y = q - o:
///   q'' = R^T (y'' - 2 w x y' - w' x y + w x (w x y)).
/// w x (w x y) and w' x y are the two parts of the acceleration of that body's own points, each at most
/// `turn_acceleration` |y|, and q is within three tolerances (and the separation) of the body.
double SpanFinder::acceleration_between(const Part& part) const {
  const bool from_b = kind_ != FeatureKind::face_vertex;
  const motion::Path &moving = from_b ? f_.motion_a : f_.motion_b, &still = from_b ? f_.motion_b : f_.motion_a;
  const motion::Bounds &m = moving.bounds(), &s = still.bounds();
  double far = 0, far_still = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    far = std::max(far, scaled_length((from_b ? part.a : part.b)[k] - moving.reference()));
    far_still = std::max(far_still, scaled_length((from_b ? part.b : part.a)[k] - still.reference()));
  }
  far_still += within(3);
  return m.acceleration + m.turn_acceleration * far + s.acceleration +
         2 * s.turn_speed * (m.speed + m.turn_speed * far + s.speed) + 2 * s.turn_acceleration * far_still;
}

double SpanFinder::speed_between(const Part& part) const {
  const motion::Bounds &a = f_.motion_a.bounds(), &b = f_.motion_b.bounds();
  double far_a = 0, far_b = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    far_a = std::max(far_a, scaled_length(part.a[k] - f_.motion_a.reference()));
    far_b = std::max(far_b, scaled_length(part.b[k] - f_.motion_b.reference()));
  }
  return (a.speed + a.turn_speed * far_a + b.speed + b.turn_speed * far_b) * (1 + 0x1p-40);
}

ContactEvent SpanFinder::event(double t) const {
  ContactEvent e;
  const Stage::Instant now = stage_.at(t);
  std::size_t which = 0;
  PartDistance near = look(now, parts_[0]);
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (const PartDistance other = look(now, parts_[i]); other.distance < near.distance) near = other, which = i;
  e.feature = pairs_.front().feature;
  e.time = {t, t};
  e.gap = near.distance;
  const Vec3 n = math::unit(normal(now, pairs_[which], near));
  e.direction = n != Vec3{} ? direction_of(f_, t, near.closest.a + now.origin, near.closest.b + now.origin, n)
                            : ContactDirection::sliding;
  return e;
}

/// From A to B. Where the gap is within rounding error, which happens only at the start, the orientation of the
/// surfaces determines the outward side: the normal of the face by its winding, or the one of the two edge normals that
/// points out of A's triangle and into B's.
Vec3 SpanFinder::normal(const Stage::Instant& now, const ElementaryPair& pair, const PartDistance& near) const {
  if (near.distance > 4 * now.error) return near.closest.b - near.closest.a;
  LocalPoints a, b;
  for (std::size_t k = 0; k < 3; ++k) a[k] = f_.a.corner(pair.triangle_a, k), b[k] = f_.b.corner(pair.triangle_b, k);
  const MovingPair p = stage_.place(now, a, b);
  if (kind_ == FeatureKind::vertex_face) return -face_normal(p.b);
  if (kind_ == FeatureKind::face_vertex) return face_normal(p.a);
  const Vec3 n = cross(math::of_size_one(near.p.a[1] - near.p.a[0]), math::of_size_one(near.p.b[1] - near.p.b[0]));
  return dot(n, math::unit(face_normal(p.a)) - math::unit(face_normal(p.b))) < 0 ? -n : n;
}

}  // namespace graze::engine::first_contact
