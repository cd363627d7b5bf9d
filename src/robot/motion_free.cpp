// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "ask/shared/first_contact_options.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "robot/motion_memory.hpp"
#include "robot/reach.hpp"
#include "robot/turning.hpp"

namespace graze {

namespace robot {

Memory::Memory() = default;
Memory::~Memory() = default;

MotionMemory& Memory::of_motions() {
  if (!motions_) motions_ = std::make_unique<MotionMemory>();
  return *motions_;
}

namespace {

/// Whether a motion is free, yes or no.
///
/// In the middle of a span of time two parts are farther apart than they can get nearer in the span (`Reach`): then
/// they are apart throughout. Otherwise, unless they touch there, both halves of the span are asked. What is still open
/// after `most_halvings` is left to `first_contact`.
///
/// What is found out about a pair does not depend on other pairs. Their order is therefore only a matter of time: those
/// that touched in earlier questions come first.
class MotionFree {
 public:
  MotionFree(const State& state, std::span<const double> from, std::span<const double> to,
             const RobotFreeOptions& options, Memory& memory, RobotFreeResult& result)
      : s_(state),
        from_(from),
        to_(to),
        options_(options),
        m_(memory),
        e_(memory.of_motions()),
        result_(result),
        check_(state, {}, memory, result.counters) {}

  void run() {
    s_.chain.beyond_limits(from_);  // throws where a state is wrong
    s_.chain.beyond_limits(to_);
    pair_options_.min_separation = options_.min_separation;
    pair_options_.tolerance = options_.tolerance;
    if (auto mistake = ask::mistake_in(pair_options_)) return core::refuse(result_, std::move(*mistake));
    e_.reach.of_robot(s_);
    collect();
    const std::optional<std::uint32_t> touching = search();
    result_.status = touching ? Status::contact : Status::free;
    result_.asked = check_.asked();
    if (touching) m_.remember(e_.open[*touching].pair);
  }

 private:
  static constexpr int most_halvings = 7;

  /// Places the links at time t, and bounds how far each coordinate gets from there while t changes by at most h. The
  /// coordinates at t are rounded, by less than 2^-50 of the sum of their sizes at both ends.
  void set_state(double t, double h) {
    e_.state.resize(from_.size());
    e_.away.resize(from_.size());
    e_.ways.resize(from_.size());
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const double way = to_[i] - from_[i];
      e_.state[i] = t == 1 ? to_[i] : from_[i] + t * way;
      e_.ways[i] = h * way;
      e_.away[i] =
          way == 0 ? 0 : (h * std::fabs(way)) * (1 + 0x1p-40) + 0x1p-50 * (std::fabs(from_[i]) + std::fabs(to_[i]));
    }
    set_turns(s_, from_, to_, t, h, e_.state, e_.away);
    m_.links.resize(s_.chain.size());
    s_.chain.link_poses(e_.state, m_.links);
  }

  /// The pairs whose boxes do not show that they are apart throughout.
  void collect() {
    e_.open.clear();
    e_.current.clear();
    bounded_ = turns_are_known(s_, from_, to_);
    set_state(0.5, 0.5);
    check_.place_parts();
    if (bounded_) e_.reach.set(e_.away, m_.links, m_.placed, e_.ways);
    const auto add = [&](Pair pair) {
      pair.separation = both_kept(pair.separation, options_.min_separation);
      if (bounded_ && check_.boxes_apart(pair, e_.reach.drift(pair))) return;
      e_.open.push_back({pair, false});
    };
    for (const Pair& pair : s_.pairs) add(pair);
    for (std::uint32_t a = 0; a < s_.moving; ++a) {
      const double way = bounded_ ? e_.reach.of(a, no_link) * slack : math::infinity;
      s_.near_obstacles(a, m_.placed[a].box, next_up(way + options_.min_separation), m_.near);
      for (const std::uint32_t o : m_.near) add(s_.with_obstacle(a, o));
    }
    for (std::size_t i = m_.recent_count; i-- > 0;) {
      const auto found = std::find_if(e_.open.begin(), e_.open.end(),
                                      [&](const OpenMotion& o) { return same_pair(o.pair, m_.recent[i]); });
      if (found != e_.open.end()) std::rotate(e_.open.begin(), found, found + 1);
    }
  }

  /// The number of an open pair that touches. The end of a motion is asked first: planners reach into the unknown. Then
  /// its middle, and so on, all pairs at each stage.
  std::optional<std::uint32_t> search() {
    if (e_.open.empty()) return std::nullopt;
    set_state(1, 0);
    for (std::uint32_t i = 0; i < e_.open.size(); ++i) {
      core::poll_once();
      check_.place_pair(e_.open[i].pair);
      if (check_.meets(e_.open[i].pair)) return i;
      e_.current.push_back({0, 1, i});
    }
    for (int halvings = 0; bounded_ && halvings <= most_halvings && !e_.current.empty(); ++halvings) {
      if (const auto touching = ask_spans()) return touching;
      std::swap(e_.current, e_.next);
    }
    for (const OpenSpan& span : e_.current) {
      core::poll_once();
      OpenMotion& open = e_.open[span.pair];
      if (!open.searched && touches_on_the_way(open.pair)) return span.pair;
      open.searched = true;
    }
    return std::nullopt;
  }

  /// Asks all current spans, which have the same length; the halves that stay open are the next.
  std::optional<std::uint32_t> ask_spans() {
    e_.next.clear();
    double placed_at = -1;
    std::sort(e_.current.begin(), e_.current.end(),
              [](const OpenSpan& x, const OpenSpan& y) { return x.t0 != y.t0 ? x.t0 < y.t0 : x.pair < y.pair; });
    for (const auto [t0, t1, i] : e_.current) {
      core::poll_once();
      const double t = 0.5 * (t0 + t1);  // exact: halves of 1
      if (t != placed_at) {
        set_state(t, t - t0);
        e_.reach.set_joints(e_.away, m_.links, e_.ways);
        placed_at = t;
      }
      const Pair& pair = e_.open[i].pair;
      check_.place_pair(pair);
      if (check_.apart(pair, e_.reach.drift_alone(pair, m_.links, check_.placed(pair.a), check_.placed(pair.b))))
        continue;
      if (check_.meets(pair)) return i;
      e_.next.push_back({t0, t, i});
      e_.next.push_back({t, t1, i});
    }
    e_.current.reserve(e_.next.capacity());  // they change places: both are warm
    return std::nullopt;
  }

  bool touches_on_the_way(const Pair& pair) {
    const auto [a, b] = motions_of(s_, pair, from_, to_);
    FirstContactOptions options = pair_options_;
    options.min_separation = pair.separation;
    ++result_.searches;
    ask::first_contact_inside(s_.parts[pair.a].body, a, s_.parts[pair.b].body, b, options, e_.found);
    result_.counters += e_.found.counters;
    return e_.found.status != Status::free;
  }

  const State& s_;
  std::span<const double> from_, to_;
  const RobotFreeOptions& options_;
  FirstContactOptions pair_options_;
  Memory& m_;
  MotionMemory& e_;
  RobotFreeResult& result_;
  StateCheck check_;
  bool bounded_ = true;
};

}  // namespace

}  // namespace robot

void Robot::motion_free(std::span<const double> from, std::span<const double> to, const RobotFreeOptions& options,
                        RobotFreeResult& result) const {
  const core::FpGuard guard;
  result = RobotFreeResult{};
  std::optional<RobotMemory> own;
  RobotMemory& memory = options.memory ? *options.memory : own.emplace();
  core::Limits limits(options.cancel, options.budget);
  try {
    const bool whole = core::run_within(
        limits, [&](core::Limits*) { robot::MotionFree(*state_, from, to, options, memory.memory(), result).run(); });
    if (!whole && result.status != Status::contact) result.status = Status::undecided;
  } catch (const Error& error) {
    core::refuse(result, error.detail());
  }
  core::leave_if_outer_ended(limits);
}

RobotFreeResult Robot::motion_free(std::span<const double> from, std::span<const double> to,
                                   const RobotFreeOptions& options) const {
  RobotFreeResult result;
  motion_free(from, to, options, result);
  return result;
}

}  // namespace graze
