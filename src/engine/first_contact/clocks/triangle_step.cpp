// SPDX-License-Identifier: MIT
#include "engine/first_contact/clocks/triangle_step.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "prim/closest/apart.hpp"

namespace graze::engine::first_contact {

namespace {

/// Keeps not d itself but the local minimum that it leads to. Otherwise each step, which ends at 1 - 1e-5 of the kept
/// distance, would lower it by only that much.
void nearer(Search& s, std::uint32_t ta, std::uint32_t tb, double d, double t) {
  if (!(d + s.pairs.rounding() < s.least->upper)) return;
  const PairMotion::Nearest nearest = s.pairs.nearest_after(ta, tb, t, d);
  s.least->offer(nearest.distance + s.pairs.rounding(), nearest.time);
}

/// A direction between rounded points is tilted by eps L / d, where L is the extent of the triangles. Along it they
/// seem nearer by eps L^2 / d, which is more than 1e-5 of d where d is below about 1e-6 of L. Returns the distance to
/// keep.
double sharpen(Search& s, std::uint32_t ta, std::uint32_t tb, double t, const MovingPair& p, Separation& along,
               prim::ClosestPair& closest) {
  along = sharp_separation(p, along, 0.5 * (s.kept() + distance_of(closest)), closest);
  nearer(s, ta, tb, distance_of(closest), t);
  return s.kept();
}

/// Double precision proves less of a gap than required: continue with half of what it proves, and record that in
/// `floor`.
double step_below_target(Search& s, const Moment& m, const MovingPair& p, const Separation& along) {
  const double half = 0.5 * along.apart - s.pairs.rounding();
  if (!(half > 0)) return 0;
  s.least->floor = std::min(s.least->floor, half);
  return s.pairs.safe_time(m, p, along.n, half + s.pairs.rounding());
}

}  // namespace

bool step_triangles(Search& s, Clock& c, std::uint32_t ta, std::uint32_t tb, bool by_reach) {
  double& t = c.time;
  std::uint32_t& proof = c.proof;
  std::optional<bool> may_turn;
  for (;;) {
    ++s.counters.motion_steps;
    const Moment m = s.pairs.kinematics().at(t);
    const MovingPair p = s.pairs.place(m, ta, tb);
    if (by_reach && !s.least) {
      if (const std::optional<Vec3> n = s.pairs.parting_face(m, p, s.kept())) {
        if (s.proof) s.proof->separate(proof, *n, 1.0);
        ++s.counters.finished_by_parting;
        return true;
      }
    }
    prim::ClosestPair closest = prim::closest_apart(p.a, p.b);
    const double d = distance_of(closest);
    if (s.least) nearer(s, ta, tb, d, t);
    double target = s.kept();
    double safe = 0;
    Separation along{};
    Frame frame = Frame::world;
    const double separation = s.pairs.separation();
    if (s.least || d - separation > 2 * (target - separation)) {
      along = best_separation(p, closest);
      if (s.least && !(along.apart - target >= 0.25 * (d - target))) target = sharpen(s, ta, tb, t, p, along, closest);
      if (along.apart > target) safe = s.pairs.safe_time(m, p, along.n, target);
      if (t + safe <= s.limit()) {
        const Vec3 across = s.pairs.passing_line(m, closest);
        const double passing = s.pairs.safe_time(m, p, across, target);
        if (passing > safe) {
          safe = passing;
          along.n = across;
        }
        if (t + safe <= s.limit() && may_turn.value_or(true))
          s.pairs.lengthen_turning(m, p, closest, along.n, target, may_turn, safe, frame);
      }
    }
    if (s.least && !(safe > 0)) safe = step_below_target(s, m, p, along);
    if (!(safe > 0)) break;
    const double next = next_down(t + safe);
    if (!(next > t)) break;
    if (s.proof) proof = s.proof->separate(proof, in_axes(frame, m, along.n), std::min(next, 1.0), frame);
    t = next;
    if (t > s.limit()) {
      ++s.counters.finished_by_parting;
      return true;
    }
    if (!s.queue.empty() && t > s.queue.earliest()) {
      s.queue.push(c);
      return true;
    }
    if (!s.budget.take()) return false;
  }
  if (s.least) {
    s.least->floor = 0;  // nothing is certified about later times
    return true;
  }
  // Within twice the tolerance, or double precision cannot prove a step: solve this triangle pair from t = 0 in
  // canonical order.
  std::vector<PairStep> steps;
  const std::optional<double> touch =
      s.pairs.solve(ta, tb, s.limit(), s.budget, s.counters, s.proof ? &steps : nullptr);
  if (!touch) return false;
  for (const PairStep& step : steps)
    if (step.until > t) proof = s.proof->separate(proof, step.n, step.until, step.frame);
  s.offer(*touch, ta, tb);
  return true;
}

}  // namespace graze::engine::first_contact
