// SPDX-License-Identifier: MIT
#include "engine/first_contact/pair/pair_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/first_contact/pair/time_to_close.hpp"
#include "math/vectors.hpp"
#include "prim/closest/apart.hpp"
#include "prim/closest/exact.hpp"

namespace graze::engine::first_contact {

namespace {

using math::infinity;
using math::turned;

/// The corners of one triangle along n, which points from A to B; for B along -n, so that positive is always towards
/// the other body.
struct CornerMotion {
  std::array<double, 3> at;            ///< n . x
  std::array<double, 3> speed;         ///< n . x'
  std::array<double, 3> acceleration;  ///< |n . x''| <= acceleration at all times
  std::array<double, 3> most;          ///< (i) |n . (w x r)| <= most at all times; of a general motion |x'|
  std::array<double, 3> grow;          ///< of several joints: how much `most` grows per unit of time; else 0
  std::array<double, 3> reach;         ///< (iii) for any rotation, n . x <= reach + t drift + t^2 / 2 drift_grow
  double linear;                       ///< n . v that goes with `most`
  double drift, drift_grow;
};

/// Several joints: the bounds of docs/motions.md, "Along a direction". They bound the drift of the reference point
/// along n; the distance of a point from the reference point is constant.
void directed_corner_motion(const motion::DirectedBounds& bounds, const motion::JointAxes& axes, double t,
                            const Vec3& n, double reference, const std::array<double, 3>& far, CornerMotion& r) {
  const motion::DirectedRise d = motion::directed_rise(bounds, axes, n, 1 - t);
  r.linear = dot(n, axes.slide);
  for (std::size_t k = 0; k < 3; ++k) {
    r.acceleration[k] = d.acceleration + d.turn_acceleration * far[k];
    r.most[k] = d.speed + d.turn_speed * far[k];
    r.grow[k] = d.growth + d.turn_growth * far[k];
    r.reach[k] = reference + far[k];
  }
  r.drift = r.linear + d.speed;
  r.drift_grow = d.growth;
}

/// One of the bodies at a moment.
struct BodyNow {
  const motion::Path& path;
  const motion::Instant& now;
  const motion::JointAxes& axes;
  double t;
};

CornerMotion corner_motion(const BodyNow& body, const std::array<Vec3, 3>& x, const std::array<Vec3, 3>& arm,
                           const Vec3& n) {
  CornerMotion r;
  const motion::Instant& m = body.now;
  const motion::Bounds& bounds = body.path.bounds();
  const Vec3 nw = cross(n, m.w);
  const double nv = dot(n, m.v), w2 = dot(m.w, m.w), size_nw = length_at_any_scale(nw), nw_along = dot(n, m.w);
  r.linear = r.drift = bounds.twist ? nv : 0;
  r.drift_grow = 0;
  r.grow.fill(0);
  std::array<double, 3> far;
  if (bounds.twist && w2 == 0) {  // or so small that it is negligible compared with the rounding of r
    for (std::size_t k = 0; k < 3; ++k) r.at[k] = r.reach[k] = dot(n, x[k]);
    r.speed.fill(nv);
    r.acceleration.fill(0);
    r.most.fill(0);
    return r;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    r.at[k] = dot(n, x[k]);
    r.speed[k] = nv + dot(nw, arm[k]);
    if (bounds.twist) {
      // n . (w x (w x r)) = (n x w) . (w x r), and |w x r| does not change while the body turns.
      const Vec3 wr = cross(m.w, arm[k]);
      r.acceleration[k] = size_nw * length_at_any_scale(wr);
      if (w2 > 0 && w2 < 0x1p-800) {  // squares underflow, but such a turn is negligible
        r.most[k] = std::sqrt(w2) * length_at_any_scale(arm[k]) + std::numeric_limits<double>::min();
        r.reach[k] = infinity;
      } else if (w2 > 0) {
        const double w = std::sqrt(w2);
        r.most[k] = r.acceleration[k] / w;
        // The part of r along the axis is constant; the part perpendicular to it can at most point along n.
        r.reach[k] = r.at[k] - dot(n, arm[k]) + nw_along * dot(m.w, arm[k]) / w2 + r.acceleration[k] / w2;
      } else {
        r.most[k] = 0;
        r.reach[k] = r.at[k];
      }
    } else {
      far[k] = length_at_any_scale(arm[k]);
      r.speed[k] += bounds.velocity_error + bounds.turn_velocity_error * far[k];
      r.acceleration[k] = bounds.acceleration + bounds.turn_acceleration * far[k];
      r.most[k] = bounds.speed + bounds.turn_speed * far[k];
      r.reach[k] = infinity;
    }
  }
  if (const motion::DirectedBounds* d = body.path.directed())
    directed_corner_motion(*d, body.axes, body.t, n, dot(n, m.o), far, r);
  return r;
}

/// n / |n|; zero if n has no direction. A length below 2^-1024 has no finite reciprocal, and few digits: such a vector
/// is scaled first. An infinite direction would seem to separate everything by an infinite distance.
Vec3 unit_direction(const Vec3& n) {
  const double square = dot(n, n);
  if (square > 1e-280 && square < 1e280) return n * (1 / std::sqrt(square));
  const Vec3 scaled = math::of_size_one(n);
  const double size = std::sqrt(dot(scaled, scaled));
  return size > 0 ? scaled * (1 / size) : Vec3{};
}

}  // namespace

MovingPair PairMotion::place(const Moment& m, std::uint32_t ta, std::uint32_t tb) const {
  MovingPair p;
  const Vec3 &ra = kinematics_.a().reference(), &rb = kinematics_.b().reference();
  for (std::size_t k = 0; k < 3; ++k) {
    p.arm_a[k] = turned(m.a.r, a_.corner(ta, k) - ra);
    p.arm_b[k] = turned(m.b.r, b_.corner(tb, k) - rb);
    p.a[k] = m.a.o + p.arm_a[k];
    p.b[k] = m.b.o + p.arm_b[k];
  }
  return p;
}

double PairMotion::safe_time(const Moment& m, const MovingPair& p, const Vec3& n, double target) const {
  const CornerMotion a = corner_motion({kinematics_.a(), m.a, m.axes_a, m.t}, p.a, p.arm_a, n);
  const CornerMotion b = corner_motion({kinematics_.b(), m.b, m.axes_b, m.t}, p.b, p.arm_b, -n);
  // a.at + b.at is minus the gap of two corners, since b is projected on -n. A direction that separates all pairs of
  // corners separates the triangles. For each pair: (ii) present speed and acceleration bound, (i) the constant speed
  // bound; the better of the two, each valid by itself for the whole step.
  double step = 2;  // beyond the end of time
  const double linear = a.linear + b.linear;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double gap = -(a.at[i] + b.at[j]) - target;
      if (!(gap > 0)) return 0;
      const double speed = a.speed[i] + b.speed[j], acceleration = a.acceleration[i] + b.acceleration[j],
                   most = linear + a.most[i] + b.most[j], grow = a.grow[i] + b.grow[j];
      // Most pairs of corners do not limit the step; this test needs no root.
      if ((most + 0.5 * grow * step) * step <= gap || (speed + 0.5 * acceleration * step) * step <= gap) continue;
      step = std::min(step, std::max(time_to_close(gap, speed, acceleration), time_at_most(gap, most, grow)));
    }
  if (step < 1) {
    const double gap =
        -(*std::max_element(a.reach.begin(), a.reach.end()) + *std::max_element(b.reach.begin(), b.reach.end())) -
        target;
    if (gap > 0) step = std::max(step, time_at_most(gap, a.drift + b.drift, a.drift_grow + b.drift_grow));
  }
  // Acceleration bounds and divisions have a relative error of a few eps. With gap - u t - b t^2 / 2 = 0 at t, a step
  // shorter by a share d leaves at least d t sqrt(u^2 + 2 b gap), which is d times the larger of |u| t and the gap or
  // more: far above a few eps of |u| t + b t^2 / 2 <= 2 |u| t + gap. The same margin covers the comparisons that found
  // no root before the step.
  return step * (1 - 0x1p-40);
}

std::optional<Vec3> PairMotion::parting_face(const Moment& m, const MovingPair& p, double target) const {
  for (const std::array<Vec3, 3>& t : {p.b, p.a}) {
    const Vec3 normal = math::of_size_one(cross(math::of_size_one(t[1] - t[0]), math::of_size_one(t[2] - t[0])));
    if (normal == Vec3{}) continue;
    const Vec3 n = math::facing(normal * (1 / math::norm(normal)), p.b[0] - p.a[0]);
    if (m.t + safe_time(m, p, n, target) > 1) return n;
  }
  return std::nullopt;
}

double distance_of(const prim::ClosestPair& c) {
  return c.squared > 1e-280 && c.squared < 1e280 ? std::sqrt(c.squared) : scaled_length(c.b - c.a);
}

namespace {

Separation separation_along(const MovingPair& p, const Vec3& direction) {
  const Vec3 n = unit_direction(direction);
  if (n == Vec3{}) return {{}, -infinity};
  double top = -infinity, bottom = infinity;
  for (std::size_t k = 0; k < 3; ++k) {
    top = std::max(top, dot(n, p.a[k]));
    bottom = std::min(bottom, dot(n, p.b[k]));
  }
  return {n, bottom - top};
}

/// The best of `best` and the separating axis theorem's directions.
Separation best_axis(const MovingPair& p, Separation best) {
  const auto try_both = [&](const Vec3& n) {
    for (const Vec3& x : {n, -n}) {
      const Separation s = separation_along(p, x);
      if (s.apart > best.apart) best = s;
    }
  };
  const auto edge = [](const std::array<Vec3, 3>& t, std::size_t k) { return t[(k + 1) % 3] - t[k]; };
  const Vec3 na = cross(edge(p.a, 0), edge(p.a, 1)), nb = cross(edge(p.b, 0), edge(p.b, 1));
  try_both(na);
  try_both(nb);
  for (std::size_t i = 0; i < 3; ++i) {
    try_both(cross(na, edge(p.a, i)));
    try_both(cross(nb, edge(p.b, i)));
    for (std::size_t j = 0; j < 3; ++j) {
      try_both(cross(edge(p.a, i), edge(p.b, j)));
      try_both(p.b[j] - p.a[i]);
    }
  }
  return best;
}

/// The best of `best` and the direction of the exact closest points, which become those of c.
Separation exact_direction(const MovingPair& p, const Separation& best, prim::ClosestPair& c) {
  const prim::SharpPair sharp = prim::sharp_closest(p.a, p.b);
  c = {sharp.a, sharp.b, sharp.part_a, sharp.part_b, dot(sharp.offset, sharp.offset)};
  const Separation exact = separation_along(p, sharp.offset);
  return exact.apart > best.apart ? exact : best;
}

}  // namespace

Separation best_separation(const MovingPair& p, prim::ClosestPair& c) {
  constexpr double good = 0.75;
  const double d = distance_of(c);
  Separation best = separation_along(p, c.b - c.a);
  if (best.apart >= good * d) return best;
  // Large triangles that are very near each other.
  if (const Separation s = separation_along(p, prim::across_parts(p.a, p.b, c)); s.apart > best.apart) best = s;
  if (best.apart >= good * d) return best;
  // The closest points are inaccurate (nearly parallel edges, slivers).
  best = best_axis(p, best);
  if (best.apart >= good * d) return best;
  // Double precision finds no such direction: needles, or numbers of very different sizes.
  return exact_direction(p, best, c);
}

Separation sharp_separation(const MovingPair& p, const Separation& known, double enough, prim::ClosestPair& c) {
  const Separation best = best_axis(p, known);
  return best.apart >= enough ? best : exact_direction(p, best, c);
}

Vec3 PairMotion::passing_line(const Moment& m, const prim::ClosestPair& c) const {
  const Vec3 v = (m.a.v + cross(m.a.w, c.a - m.a.o)) - (m.b.v + cross(m.b.w, c.b - m.b.o));
  const Vec3 line = c.b - c.a;
  const double v2 = dot(v, v), along = dot(line, v);
  const Vec3 n = along > 0 && v2 > 0 ? line - v * (along / v2) : line;
  return unit_direction(n);
}

PairMotion::Nearest PairMotion::nearest_after(std::uint32_t ta, std::uint32_t tb, double t, double distance) const {
  const auto distance_at = [&](double s) {
    const MovingPair p = place(kinematics_.at(s), ta, tb);
    return distance_of(prim::closest_apart(p.a, p.b));
  };
  // Growing strides while the distance decreases; then golden section between the last three times, until the distances
  // at both ends are close to the least one between.
  double before = t, after = t, at_before = distance, at_after = distance;
  Nearest best{distance, t};
  for (double stride = 0x1p-10;; stride *= 2) {
    after = std::min(1.0, best.time + stride);
    const double d = distance_at(after);
    at_after = d;
    if (!(d < best.distance)) break;
    before = best.time;
    at_before = best.distance;
    best = {d, after};
    if (after == 1) return best;
  }
  for (int i = 0; i < 96 && std::max(at_before, at_after) > best.distance * (1 + 0x1p-24); ++i) {
    const bool later = after - best.time > best.time - before;
    const double s = best.time + 0.381966 * ((later ? after : before) - best.time), d = distance_at(s);
    if (!(s > before && s < after) || s == best.time) break;  // no double lies between
    if (d < best.distance) {
      (later ? before : after) = best.time;
      (later ? at_before : at_after) = best.distance;
      best = {d, s};
    } else {
      (later ? after : before) = s;
      (later ? at_after : at_before) = d;
    }
  }
  return best;
}

std::optional<double> PairMotion::solve(std::uint32_t ta, std::uint32_t tb, double until, core::Steps& budget,
                                        AllCounters& counters, std::vector<PairStep>* steps) const {
  ++counters.motion_solved;
  // Steps stop at half the tolerance. So every step has a positive length (each gains at least a quarter of the
  // tolerance), and the triangles are more than that apart during it, rounding included, because the tolerance is at
  // least 16 times the rounding error bound. With a separation to keep, steps stop half-way between that and the
  // tolerance: during a step they are more than the separation apart. (Normals are of length one to 2^-50, and what the
  // tolerance exceeds the separation by is at least 2^-44 of it.)
  const double target = separation_ + 0.5 * (tolerance_ - separation_) + rounding();
  std::optional<bool> may_turn;
  for (double t = 0; t <= until;) {
    if (!budget.take()) return std::nullopt;
    ++counters.motion_steps;
    const Moment m = kinematics_.at(t);
    const MovingPair p = place(m, ta, tb);
    prim::ClosestPair c = prim::closest_apart(p.a, p.b);
    const auto touch = [&] { return distance_of(c) + rounding() <= tolerance_; };
    bool near = touch();
    Separation s{};
    if (!near) {
      s = best_separation(p, c);
      near = touch();
    }
    if (near) {
      const double opened = t == 0 && ignore_start_ ? opening_time(m, p) : 0;
      if (!(opened > 0)) return t;
      t = opened;
      continue;
    }
    if (separation_ > 0 && !(s.apart > target)) {  // three quarters of the distance are not enough
      s = sharp_separation(p, s, 0.5 * (target + distance_of(c)), c);
      if (touch()) return t;
    }
    // They are apart by three quarters of a distance that is more than the tolerance less its 16th, which is above the
    // target; if not, they cross at the start.
    double step = s.apart > 0 ? safe_time(m, p, s.n, target) : 0;
    Frame frame = Frame::world;
    if (t + step <= 1 && may_turn.value_or(true)) lengthen_turning(m, p, c, s.n, target, may_turn, step, frame);
    if (!(step > 0)) return t;
    const double next = t + step > 1 ? infinity : next_down(t + step);
    if (!(next > t)) return t;  // no double lies between t and t + step
    if (steps) steps->push_back({in_axes(frame, m, s.n), std::min(next, 1.0), frame});
    t = next;
  }
  return infinity;
}

}  // namespace graze::engine::first_contact
