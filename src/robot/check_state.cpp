// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <tuple>

#include "ask/shapes/shapes.hpp"
#include "ask/shared/first_contact_options.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/distance/swept.hpp"
#include "math/vectors.hpp"
#include "motion/path.hpp"
#include "robot/state.hpp"

namespace graze {

namespace robot {

using engine::collide::Touch;

void StateCheck::place_all() {
  m_.links.resize(s_.chain.size());
  s_.chain.link_poses(q_, m_.links);
  place_parts();
}

void StateCheck::place_parts() {
  m_.placed.resize(s_.moving);
  for (std::uint32_t i = 0; i < s_.moving; ++i) place_part(i);
}

void StateCheck::place_part(std::uint32_t i) {
  const Part& part = s_.parts[i];
  m_.placed[i] = place(part, motion::on_link(m_.links[part.link], part.rounded));
}

void StateCheck::place_pair(const Pair& pair) {
  m_.placed.resize(s_.moving);
  place_part(pair.a);
  if (pair.b < s_.moving) place_part(pair.b);
}

bool StateCheck::boxes_apart(const Pair& pair, const Drift& drift) const {
  const Placed &a = placed(pair.a), &b = placed(pair.b);
  const double enough = next_up(drift.rest + pair.separation);  // the boxes contain the errors
  if (drift.way == Vec3{} && boxes_farther(a.box, b.box, enough)) return true;
  return box_gap(a.box, b.box, drift.way) > enough ||
         turned_box_gap(s_.parts[pair.a], a, s_.parts[pair.b], b, enough, drift.way) > enough;
}

std::optional<double> StateCheck::boxes_overlap(const Pair& pair) const {
  const Placed &a = placed(pair.a), &b = placed(pair.b);
  const double enough = next_up(pair.separation);
  if (boxes_farther(a.box, b.box, enough)) return std::nullopt;
  const double gap = turned_box_gap(s_.parts[pair.a], a, s_.parts[pair.b], b, enough);
  if (gap > enough) return std::nullopt;
  return gap;
}

// Where the bodies are placed in doubles, no two points of them are within `distance` + separation + both errors. The
// exactly placed points are at most an error away each, and so no two of these are within `distance` + separation.
bool StateCheck::apart_within_boxes(const Pair& pair, double distance) {
  const Placed &a = placed(pair.a), &b = placed(pair.b);
  const double gap = distance + pair.separation;
  const double d = next_up(next_up(gap) + next_up(a.error + b.error));
  if (!(d < math::infinity)) return false;
  ++asked_;
  within(d, s_.parts[pair.a].body, a.pose, s_.parts[pair.b].body, b.pose, {}, m_.within);
  counters_ += m_.within.counters;
  return m_.within.status == Status::free;
}

bool StateCheck::apart(const Pair& pair, const Drift& drift) {
  if (boxes_apart(pair, drift)) return true;
  const Body &a = s_.parts[pair.a].body, &b = s_.parts[pair.b].body;
  if (drift.way == Vec3{} || !by_surfaces(pair)) return apart_within_boxes(pair, drift.whole);
  // As above: wherever the second is on its way, the exactly placed points are at most the errors from these.
  const Placed &pa = placed(pair.a), &pb = placed(pair.b);
  const double d = next_up(next_up(drift.rest + pair.separation) + next_up(pa.error + pb.error));
  ++asked_;
  return d < math::infinity &&
         engine::distance::apart_while_swept(d, a.data(), pa.pose, b.data(), pb.pose, drift.way, counters_) &&
         !inside_shape(pair);
}

bool StateCheck::meets(const Pair& pair) { return !boxes_apart(pair, 0) && meets_within_boxes(pair); }

/// Do two surfaces share a point is the question that is answered fastest, above all if they do. Two boxes or hulls
/// have better means.
bool StateCheck::by_surfaces(const Pair& pair) const {
  const Body &a = s_.parts[pair.a].body, &b = s_.parts[pair.b].body;
  return a.has_mesh() && b.has_mesh() && !(a.shape() && b.shape());
}

bool StateCheck::inside_shape(const Pair& pair) {
  const Body &a = s_.parts[pair.a].body, &b = s_.parts[pair.b].body;
  if (!a.shape() && !b.shape()) return false;
  CollideResult inside;
  const bool found = ask::inside_solid_shape(a, placed(pair.a).pose, b, placed(pair.b).pose, inside);
  counters_ += inside.counters;
  return found;
}

// Surfaces that are apart wherever they are within the errors are so on the way from where the poses put them to where
// they are: one is inside the other there if and only if it is here.
std::optional<bool> StateCheck::surfaces_touch(const Pair& pair, double error) {
  ++asked_;
  const Touch touch =
      engine::collide::touch_within(s_.parts[pair.a].body.data(), placed(pair.a).pose, s_.parts[pair.b].body.data(),
                                    placed(pair.b).pose, error, counters_);
  if (touch == Touch::open) return std::nullopt;
  return touch == Touch::touching || inside_shape(pair);
}

bool StateCheck::meets_within_boxes(const Pair& pair) {
  const Placed &a = placed(pair.a), &b = placed(pair.b);
  const Body &body_a = s_.parts[pair.a].body, &body_b = s_.parts[pair.b].body;
  if (pair.separation == 0 && by_surfaces(pair)) {
    if (const auto touch = surfaces_touch(pair, 0)) return *touch;
    collide(body_a, a.pose, body_b, b.pose, {}, m_.collide);
    counters_ += m_.collide.counters;
    return m_.collide.status != Status::free;
  }
  ++asked_;
  within(pair.separation, body_a, a.pose, body_b, b.pose, {}, m_.within);
  counters_ += m_.within.counters;
  return m_.within.status != Status::free;
}

bool StateCheck::touches_within_boxes(const Pair& pair) {
  const double errors = placed(pair.a).error + placed(pair.b).error;
  if (errors > 0 && pair.separation == 0 && by_surfaces(pair))
    if (const auto touch = surfaces_touch(pair, next_up(errors))) return *touch;
  if (meets_within_boxes(pair)) return true;
  return errors > 0 && !apart_within_boxes(pair, 0) && touches_by_intervals(pair);
}

/// The gap is between 0 and the error of the poses: the placements are exact after all, or are enclosed by intervals.
bool StateCheck::touches_by_intervals(const Pair& pair) const {
  const auto [a, b] = motions_of(s_, pair, q_, q_);
  if (const auto at_a = a.path().start(), at_b = b.path().start(); at_a && at_b)
    return within(pair.separation, s_.parts[pair.a].body, *at_a, s_.parts[pair.b].body, *at_b).status != Status::free;
  FirstContactOptions options;
  options.min_separation = pair.separation;
  FirstContactResult result;
  ask::first_contact_inside(s_.parts[pair.a].body, a, s_.parts[pair.b].body, b, options, result);
  counters_ += result.counters;
  return result.status != Status::free;
}

void Memory::remember(const Pair& pair) {
  const auto end = recent.begin() + static_cast<std::ptrdiff_t>(recent_count);
  auto found = std::find_if(recent.begin(), end, [&](const Pair& p) { return same_pair(p, pair); });
  if (found == end && recent_count < recent.size())
    found = recent.begin() + static_cast<std::ptrdiff_t>(recent_count++);
  if (found == recent.end()) --found;
  std::move_backward(recent.begin(), found, found + 1);
  recent[0] = pair;
}

namespace {

/// The first pair that touches, in the order of parts.
std::optional<Pair> first_touching(const State& s, StateCheck& check, Memory& m) {
  std::size_t next = 0;
  for (std::uint32_t a = 0; a < s.moving; ++a) {
    for (; next < s.pairs.size() && s.pairs[next].a == a; ++next) {
      core::poll_once();
      if (check.touches(s.pairs[next])) return s.pairs[next];
    }
    s.near_obstacles(a, check.placed(a).box, 0, m.near);
    for (const std::uint32_t o : m.near) {
      core::poll_once();
      const Pair pair = s.with_obstacle(a, o);
      if (check.touches(pair)) return pair;
    }
  }
  return std::nullopt;
}

/// Some pair that touches: those whose boxes overlap most are asked first.
std::optional<Pair> any_touching(const State& s, StateCheck& check, Memory& m) {
  m.open.clear();
  const auto add = [&](const Pair& pair) {
    if (const auto gap = check.boxes_overlap(pair)) m.open.push_back({*gap, pair});
  };
  for (const Pair& pair : s.pairs) add(pair);
  for (std::uint32_t a = 0; a < s.moving; ++a) {
    s.near_obstacles(a, check.placed(a).box, 0, m.near);
    for (const std::uint32_t o : m.near) add(s.with_obstacle(a, o));
  }
  std::sort(m.open.begin(), m.open.end(), [](const auto& x, const auto& y) {
    return std::tie(x.first, x.second.a, x.second.b) < std::tie(y.first, y.second.a, y.second.b);
  });
  for (const auto& [gap, pair] : m.open) {
    core::poll_once();
    if (check.touches_within_boxes(pair)) return pair;
  }
  return std::nullopt;
}

/// Pairs of another robot, or of this one before a change, are no reason to ask them.
bool is_asked(const State& s, const Pair& pair) {
  if (pair.a >= s.moving || pair.b >= s.parts.size()) return false;
  if (pair.b >= s.moving) return !s.may_touch_obstacle(pair.a, pair.b - s.moving);
  return std::any_of(s.pairs.begin(), s.pairs.end(), [&](const Pair& p) { return same_pair(p, pair); });
}

std::optional<Pair> recently_touching(const State& s, StateCheck& check, const Memory& m) {
  for (std::size_t i = 0; i < m.recent_count; ++i) {
    if (!is_asked(s, m.recent[i])) continue;
    const Pair pair =
        m.recent[i].b >= s.moving ? s.with_obstacle(m.recent[i].a, m.recent[i].b - s.moving) : m.recent[i];
    if (check.touches(pair)) return pair;
  }
  return std::nullopt;
}

void check_state(const State& s, std::span<const double> q, const StateOptions& options, Memory& memory,
                 StateResult& result) {
  StateCheck check(s, q, memory, result.counters);
  check.place_all();
  std::optional<Pair> found;
  if (!options.witness) found = recently_touching(s, check, memory);
  if (!found) found = options.witness ? first_touching(s, check, memory) : any_touching(s, check, memory);
  result.asked = check.asked();
  result.status = found ? Status::contact : Status::free;
  if (!found) return;
  memory.remember(*found);
  if (options.witness) result.pair = PartPair{found->a, found->b};
}

/// Runs a question within its limits; mistakes in its state become `invalid_request`.
template <class Options, class Result, class Ask>
void answer(const Options& options, Result& result, const Ask& ask) {
  const core::FpGuard guard;
  core::Limits limits(options.cancel, options.budget);
  try {
    if (!core::run_within(limits, [&](core::Limits*) { ask(); })) result.status = Status::undecided;
  } catch (const Error& error) {
    core::refuse(result, error.detail());
  }
  core::leave_if_outer_ended(limits);
}

struct Candidate {
  Pair pair;
  double gap;
};

void find_distance(const State& s, std::span<const double> q, Memory& memory, RobotDistanceResult& result) {
  StateCheck check(s, q, memory, result.counters);
  check.place_all();
  std::vector<Candidate> candidates;
  const auto radius = [&](const Pair& pair) { return pair.b < s.moving ? 0 : s.obstacles[pair.b - s.moving].radius; };
  const auto add = [&](const Pair& pair) {
    const double gap = box_gap(check.placed(pair.a).box, check.placed(pair.b).box);
    candidates.push_back({pair, std::max(0.0, next_down(gap - radius(pair)))});
  };
  for (const Pair& pair : s.pairs) add(pair);
  for (std::uint32_t a = 0; a < s.moving; ++a)
    for (std::uint32_t o = 0; o < s.obstacles.size(); ++o)
      if (!s.may_touch_obstacle(a, o)) add(s.with_obstacle(a, o));
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& x, const Candidate& y) { return x.gap < y.gap; });
  const DistanceOptions options;
  DistanceResult found;
  result.distance = result.lower = math::infinity;
  result.status = Status::free;
  for (const Candidate& c : candidates) {
    core::poll_once();
    if (c.gap > result.distance) break;  // those that follow are no nearer
    const Placed &a = check.placed(c.pair.a), &b = check.placed(c.pair.b);
    graze::distance(s.parts[c.pair.a].body, a.pose, s.parts[c.pair.b].body, b.pose, options, found);
    result.counters += found.counters;
    const double around = radius(c.pair), distance = std::max(0.0, found.distance - around);
    const double lower = found.distance * (1 - 2 * options.relative_error) - 2 * (a.error + b.error);
    result.lower = std::min(result.lower, std::max(0.0, around > 0 ? next_down(lower - around) : lower));
    if (distance >= result.distance && result.pair) continue;
    result.distance = distance;
    result.pair = PartPair{c.pair.a, c.pair.b};
    result.points = found.points;
    result.status = distance > 0 ? found.status : Status::contact;
    result.normal = result.status == Status::free ? found.normal : std::nullopt;
    if (around > 0 && result.normal) result.points[1] = result.points[1] - *result.normal * around;
  }
  result.lower = std::min(result.lower, result.distance);
}

}  // namespace

}  // namespace robot

void Robot::check(std::span<const double> q, const StateOptions& options, StateResult& result) const {
  result = StateResult{};
  std::optional<RobotMemory> own;
  RobotMemory& memory = options.memory ? *options.memory : own.emplace();
  robot::answer(options, result, [&] {
    result.beyond_limits = chain().beyond_limits(q);
    robot::check_state(*state_, q, options, memory.memory(), result);
  });
}

StateResult Robot::check(std::span<const double> q, const StateOptions& options) const {
  StateResult result;
  check(q, options, result);
  return result;
}

RobotDistanceResult Robot::distance(std::span<const double> q, const StateOptions& options) const {
  RobotDistanceResult result;
  std::optional<RobotMemory> own;
  RobotMemory& memory = options.memory ? *options.memory : own.emplace();
  robot::answer(options, result, [&] { robot::find_distance(*state_, q, memory.memory(), result); });
  return result;
}

}  // namespace graze
