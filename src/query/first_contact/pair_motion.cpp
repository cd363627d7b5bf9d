// SPDX-License-Identifier: MIT
#include "query/first_contact/pair_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/vectors.hpp"
#include "prim/closest_apart.hpp"
#include "prim/closest_exact.hpp"
#include "query/first_contact/time_to_close.hpp"

namespace graze::query {

namespace {

using math::infinity;
using math::turned;

/// The corners of one triangle along n, counted from A to B; for B with n turned round, so that "up" is always towards
/// the other.
struct Rising {
  std::array<double, 3> at;     ///< n . x
  std::array<double, 3> speed;  ///< n . x'
  std::array<double, 3> bend;   ///< |n . x''| <= bend at all times
  std::array<double, 3> most;   ///< (i) |n . (w x r)| <= most at all times; of a general motion |x'|
  std::array<double, 3> reach;  ///< (iii) however it turns, n . x <= reach + t n . v
  double linear;                ///< n . v that goes with `most` and `reach`
};

Rising rising(const motion::Instant& m, const motion::Bounds& bounds, const std::array<Vec3, 3>& x,
              const std::array<Vec3, 3>& arm, const Vec3& n) {
  Rising r;
  const Vec3 nw = cross(n, m.w);
  const double nv = dot(n, m.v), w2 = dot(m.w, m.w), size_nw = length_at_any_scale(nw), nw_along = dot(n, m.w);
  r.linear = bounds.twist ? nv : 0;
  if (bounds.twist && w2 == 0) {  // or so small that it is nothing beside the rounding of r itself
    for (std::size_t k = 0; k < 3; ++k) r.at[k] = r.reach[k] = dot(n, x[k]);
    r.speed.fill(nv);
    r.bend.fill(0);
    r.most.fill(0);
    return r;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    r.at[k] = dot(n, x[k]);
    r.speed[k] = nv + dot(nw, arm[k]);
    if (bounds.twist) {
      // n . (w x (w x r)) = (n x w) . (w x r), and |w x r| does not change while the body turns.
      const Vec3 wr = cross(m.w, arm[k]);
      r.bend[k] = size_nw * length_at_any_scale(wr);
      if (w2 > 0 && w2 < 0x1p-800) {  // squares are lost; but then so is the turn
        r.most[k] = std::sqrt(w2) * length_at_any_scale(arm[k]) + std::numeric_limits<double>::min();
        r.reach[k] = infinity;
      } else if (w2 > 0) {
        const double w = std::sqrt(w2);
        r.most[k] = r.bend[k] / w;
        // The part of r along the axis stays; the part across it can at most point along n.
        r.reach[k] = r.at[k] - dot(n, arm[k]) + nw_along * dot(m.w, arm[k]) / w2 + r.bend[k] / w2;
      } else {
        r.most[k] = 0;
        r.reach[k] = r.at[k];
      }
    } else {
      const double far = length_at_any_scale(arm[k]);
      r.speed[k] += bounds.velocity_error + bounds.turn_velocity_error * far;
      r.bend[k] = bounds.bend + bounds.turn_bend * far;
      r.most[k] = bounds.speed + bounds.turn_speed * far;
      r.reach[k] = infinity;
    }
  }
  return r;
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
  const Rising a = rising(m.a, kinematics_.a().bounds(), p.a, p.arm_a, n);
  const Rising b = rising(m.b, kinematics_.b().bounds(), p.b, p.arm_b, -n);
  // a.at + b.at is minus the gap of two corners, since b looks the other way. A separating direction for all pairs of
  // corners is one for the triangles. For each pair: (ii) speed now and bend, (i) the constant bound; the better of the
  // two, each valid by itself for the whole step.
  double step = 2;  // beyond the end of time
  const double linear = a.linear + b.linear;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double gap = -(a.at[i] + b.at[j]) - target;
      if (!(gap > 0)) return 0;
      const double speed = a.speed[i] + b.speed[j], bend = a.bend[i] + b.bend[j], most = linear + a.most[i] + b.most[j];
      // Most pairs of corners do not end the step; that needs no root.
      if (most * step <= gap || (speed + 0.5 * bend * step) * step <= gap) continue;
      step = std::min(step, std::max(time_to_close(gap, speed, bend), most > 0 ? gap / most : infinity));
    }
  if (step < 1) {
    const double gap =
        -(*std::max_element(a.reach.begin(), a.reach.end()) + *std::max_element(b.reach.begin(), b.reach.end())) -
        target;
    if (gap > 0) step = std::max(step, linear > 0 ? gap / linear : infinity);
  }
  // Bends and divisions are off by a few eps of themselves. With gap - u t - b t^2 / 2 = 0 at t, a step shorter by a
  // share d leaves at least d t sqrt(u^2 + 2 b gap), which is d times the larger of |u| t and the gap or more: far
  // above a few eps of |u| t + b t^2 / 2 <= 2 |u| t + gap. The same room covers the comparisons that found no root
  // before the step.
  return step * (1 - 0x1p-40);
}

double distance_of(const prim::ClosestPair& c) {
  return c.squared > 1e-280 && c.squared < 1e280 ? std::sqrt(c.squared) : scaled_length(c.b - c.a);
}

Separation best_separation(const MovingPair& p, prim::ClosestPair& c) {
  const auto along = [&](Vec3 n) -> Separation {
    const double size = length_at_any_scale(n);
    if (!(size > 0) || !std::isfinite(size)) return {{}, -infinity};
    n = n * (1 / size);
    double top = -infinity, bottom = infinity;
    for (std::size_t k = 0; k < 3; ++k) {
      top = std::max(top, dot(n, p.a[k]));
      bottom = std::min(bottom, dot(n, p.b[k]));
    }
    return {n, bottom - top};
  };
  constexpr double good = 0.75;
  const double d = distance_of(c);
  Separation best = along(c.b - c.a);
  if (best.apart >= good * d) return best;
  // The closest points were found badly (nearly parallel edges, slivers): the separating axis theorem's directions.
  const auto try_both = [&](const Vec3& n) {
    for (const Vec3& x : {n, -n}) {
      const Separation s = along(x);
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
  if (best.apart >= good * d) return best;
  // Doubles see neither: needles, or numbers of very different sizes.
  const prim::SharpPair sharp = prim::sharp_closest(p.a, p.b);
  c = {sharp.a, sharp.b, sharp.part_a, sharp.part_b, dot(sharp.way, sharp.way)};
  const Separation exact = along(sharp.way);
  return exact.apart > best.apart ? exact : best;
}

Vec3 PairMotion::passing_line(const Moment& m, const prim::ClosestPair& c) const {
  const Vec3 v = (m.a.v + cross(m.a.w, c.a - m.a.o)) - (m.b.v + cross(m.b.w, c.b - m.b.o));
  const Vec3 line = c.b - c.a;
  const double v2 = dot(v, v), along = dot(line, v);
  const Vec3 n = along > 0 && v2 > 0 ? line - v * (along / v2) : line;
  const double size = length_at_any_scale(n);
  return size > 0 ? n * (1 / size) : n;
}

PairMotion::Nearest PairMotion::nearest_after(std::uint32_t ta, std::uint32_t tb, double t, double distance) const {
  const auto distance_at = [&](double s) {
    const MovingPair p = place(kinematics_.at(s), ta, tb);
    return distance_of(prim::closest_apart(p.a, p.b));
  };
  // Longer and longer strides while they come nearer; then the golden section between the last three.
  double before = t, after = t;
  Nearest best{distance, t};
  for (double stride = 0x1p-10;; stride *= 2) {
    after = std::min(1.0, best.time + stride);
    const double d = distance_at(after);
    if (!(d < best.distance)) break;
    before = best.time;
    best = {d, after};
    if (after == 1) return best;
  }
  for (int i = 0; i < 48 && after - before > 0x1p-30; ++i) {
    const bool later = after - best.time > best.time - before;
    const double s = best.time + 0.381966 * ((later ? after : before) - best.time), d = distance_at(s);
    if (d < best.distance) {
      (later ? before : after) = best.time;
      best = {d, s};
    } else {
      (later ? after : before) = s;
    }
  }
  return best;
}

std::optional<double> PairMotion::solve(std::uint32_t ta, std::uint32_t tb, double until, Budget& budget,
                                        Counters& counters, std::vector<PairStep>* steps) const {
  ++counters.motion_solved;
  // Steps stop at half the tolerance: they never come to nothing (each gains at least a quarter of the tolerance), and
  // what they pass is more than that apart, roundings included, as the tolerance is 16 times those at least.
  const double target = 0.5 * tolerance_ + rounding();
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
    // They are apart by three quarters of what is more than the tolerance less its 16th, which is above the target; if
    // not, they cross, at the start.
    const double step = s.apart > 0 ? safe_time(m, p, s.n, target) : 0;
    if (!(step > 0)) return t;
    const double next = t + step > 1 ? infinity : next_down(t + step);
    if (!(next > t)) return t;  // time itself has no finer steps
    if (steps) steps->push_back({s.n, std::min(next, 1.0)});
    t = next;
  }
  return infinity;
}

}  // namespace graze::query
