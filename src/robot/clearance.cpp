// SPDX-License-Identifier: MIT
#include "robot/clearance.hpp"

#include <algorithm>
#include <queue>

#include "core/counter_sum.hpp"
#include "core/limits.hpp"
#include "math/vectors.hpp"
#include "robot/spans.hpp"
#include "robot/turning.hpp"

namespace graze::robot {

namespace {

/// A pair is never nearer than `lower` during the span.
struct ClearanceSpan {
  double lower, t0, t1;
  std::uint32_t pair;
  bool measured;  ///< by the bodies in the middle of the span, not only by their boxes
};
/// The least bound first; then in a fixed order.
bool later(const ClearanceSpan& x, const ClearanceSpan& y) {
  if (x.lower != y.lower) return x.lower > y.lower;
  if (x.pair != y.pair) return x.pair > y.pair;
  return x.t0 > y.t0;
}

/// Best first: of the pair and the span with the least bound, the distance in the middle is measured. Less how far
/// `Reach` allows both parts to get from there, it is a bound for the span; if that is not near enough to the least
/// distance measured anywhere, the span is halved.
class ClearanceSearch {
 public:
  ClearanceSearch(const State& state, const Route& route, double tolerance, Memory& memory, Counters& counters)
      : s_(state),
        route_(route),
        tolerance_(tolerance),
        memory_(memory),
        counters_(counters),
        pairs_(all_pairs(s_, 0)) {}

  std::optional<RobotClearance> run() {
    if (pairs_.empty()) return std::nullopt;
    best_.upper = math::infinity;
    best_.segment = route_.segment;
    add(0, 1, all_numbers());
    while (!open_.empty()) {
      core::poll_once();
      const ClearanceSpan span = open_.top();
      if (span.lower >= best_.upper - tolerance_) break;  // nor is any other less
      open_.pop();
      if (!span.measured) {
        measure(span);
        continue;
      }
      const double t = 0.5 * (span.t0 + span.t1);
      if (!(span.t0 < t && t < span.t1)) {  // nothing is left to halve
        least_ = std::min(least_, span.lower);
        continue;
      }
      add(span.t0, t, {span.pair});
      add(t, span.t1, {span.pair});
    }
    best_.lower = std::min({best_.upper, least_, open_.empty() ? best_.upper : open_.top().lower});
    best_.lower = std::max(0.0, best_.lower);
    return best_;
  }

 private:
  std::vector<std::uint32_t> all_numbers() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) all.push_back(i);
    return all;
  }

  /// Places the links in the middle of a span.
  StateCheck place(double t0, double t1) {
    route_.middle(s_, t0, t1, middle_, away_);
    memory_.links.resize(s_.chain.size());
    s_.chain.link_poses(middle_, memory_.links);
    reach_.set_joints(away_, memory_.links);
    return StateCheck(s_, middle_, memory_, counters_);
  }

  void add(double t0, double t1, const std::vector<std::uint32_t>& numbers) {
    StateCheck check = place(t0, t1);
    for (const std::uint32_t i : numbers) {
      check.place_pair(pairs_[i]);
      const Placed &a = check.placed(pairs_[i].a), &b = check.placed(pairs_[i].b);
      const double away = (reach_.alone(pairs_[i], memory_.links, a, b) + pairs_[i].separation) * slack;
      open_.push({std::max(0.0, next_down(box_gap(a.box, b.box) - away)), t0, t1, i, false});
    }
  }

  void measure(ClearanceSpan span) {
    StateCheck check = place(span.t0, span.t1);
    const Pair& pair = pairs_[span.pair];
    check.place_pair(pair);
    const Placed &a = check.placed(pair.a), &b = check.placed(pair.b);
    const DistanceOptions options;
    graze::distance(s_.parts[pair.a].body, a.pose, s_.parts[pair.b].body, b.pose, options, found_);
    counters_ += found_.counters;
    const double distance = std::max(0.0, found_.distance - pair.separation);
    if (distance < best_.upper) {
      best_.upper = distance;
      best_.pair = {pair.a, pair.b};
      best_.time = 0.5 * (span.t0 + span.t1);
      best_.points = found_.points;
    }
    const double certain = found_.distance * (1 - 2 * options.relative_error) - 2 * (a.error + b.error);
    const double away = (reach_.alone(pair, memory_.links, a, b) + pair.separation) * slack;
    span.lower = std::max(span.lower, next_down(certain - away));
    span.measured = true;
    open_.push(span);
  }

  const State& s_;
  const Route& route_;
  double tolerance_;
  Memory& memory_;
  Counters& counters_;
  std::vector<Pair> pairs_;
  Reach reach_{s_};
  std::vector<double> middle_, away_;
  std::priority_queue<ClearanceSpan, std::vector<ClearanceSpan>, decltype(&later)> open_{&later};
  DistanceResult found_;
  RobotClearance best_;
  double least_ = math::infinity;  ///< of spans that cannot be halved any more
};

/// Where `Reach` has no bound, because a floating joint turns by about half a turn.
std::optional<RobotClearance> by_first_contact(const State& s, const Route& route, double tolerance,
                                               Counters& counters) {
  std::optional<RobotClearance> best;
  double lower = math::infinity;
  for (const Pair& pair : all_pairs(s, 0)) {
    core::poll_once();
    const auto [a, b] = route.motions_of(s, pair);
    FirstContactOptions options;
    options.clearance = true;
    options.tolerance = tolerance;
    FirstContactResult found = first_contact(s.parts[pair.a].body, a, s.parts[pair.b].body, b, options);
    counters += found.counters;
    if (!found.clearance) return std::nullopt;
    const Clearance& c = *found.clearance;
    lower = std::min(lower, pair.separation > 0 ? std::max(0.0, next_down(c.lower - pair.separation)) : c.lower);
    const double upper = std::max(0.0, c.upper - pair.separation);
    if (best && best->upper <= upper) continue;
    best = RobotClearance{0, upper, {pair.a, pair.b}, route.segment, c.time, {}};
  }
  if (!best) return std::nullopt;
  best->lower = std::min(lower, best->upper);
  const auto at = [&](std::uint32_t part) {
    const Part& p = s.parts[part];
    if (p.link == no_link) return p.pose;
    const Placement m = route.motion(s.chain, LinkId{p.link}, p.pose).at(best->time);
    return Pose::from_matrix(
        {m.r[0], m.r[1], m.r[2], m.t.x, m.r[3], m.r[4], m.r[5], m.t.y, m.r[6], m.r[7], m.r[8], m.t.z, 0, 0, 0, 1});
  };
  best->points =
      graze::distance(s.parts[best->pair.a].body, at(best->pair.a), s.parts[best->pair.b].body, at(best->pair.b))
          .points;
  return best;
}

}  // namespace

std::optional<RobotClearance> least_clearance(const State& state, const Route& route, double tolerance, Memory& memory,
                                              Counters& counters) {
  if (!turns_are_known(state, route.from, route.to)) return by_first_contact(state, route, tolerance, counters);
  return ClearanceSearch(state, route, tolerance, memory, counters).run();
}

}  // namespace graze::robot
