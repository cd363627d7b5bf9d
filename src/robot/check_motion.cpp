// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <tuple>

#include "ask/shared/first_contact_options.hpp"
#include "ask/shared/many_bodies.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "motion/trajectory_data.hpp"
#include "robot/check_route.hpp"
#include "robot/spans.hpp"

namespace graze {

namespace robot {

namespace {

/// Two links are asked in the frame of their nearest common ancestor: transforms the answer to the world.
void to_world(const State& s, const Pair& pair, const Route& route, FirstContactResult& contact) {
  if (pair.b >= s.moving || !contact.points) return;
  const Motion frame = pair.ancestor == no_link ? s.chain.base() : route.motion(s.chain, LinkId{pair.ancestor});
  const Placement at = frame.at(contact.time.touch);
  for (Vec3& x : *contact.points) x = at.apply(x);
  if (!contact.normal) return;
  const Vec3 n = Placement{at.r, {}}.apply(*contact.normal);
  contact.normal = n * (1 / length(n));
}

class MotionCheck {
 public:
  MotionCheck(const State& state, const Route& route, const RobotMotionOptions& options, Memory& memory,
              RobotMotionResult& result)
      : s_(state), route_(route), options_(options), memory_(memory), result_(result) {}

  void run() {
    if (!route_.trajectory) {  // these throw where a state is wrong; a trajectory was checked as a whole
      s_.chain.beyond_limits(route_.from);
      s_.chain.beyond_limits(route_.to);
    }
    if (auto mistake = ask::mistake_in(options_.pair)) return core::refuse(result_, std::move(*mistake));
    if (!options_.first && !options_.certificates && touches_at_the_end()) return;
    const std::vector<Pair> pairs = all_pairs(s_, options_.pair.min_separation);
    if (options_.certificates) {
      for (const Pair& pair : pairs) open_.push_back({pair, 0});
      return search();
    }
    open_ = Spans(s_, route_, memory_, result_.counters).open_pairs(pairs);
    if (!open_.empty() && route_.curved() && !turns()) return search_parts();
    search();
  }

 private:
  /// Planners reach into the unknown: the end of an edge touches more often than what is before.
  bool touches_at_the_end() {
    StateCheck check(s_, route_.to, memory_, result_.counters);
    check.place_all();
    for (const Pair& pair : all_pairs(s_, options_.pair.min_separation)) {
      if (!check.touches(pair)) continue;
      result_.status = result_.contact.status = Status::contact;
      result_.pair = PartPair{pair.a, pair.b};
      result_.contact.time = {0, 1};
      return true;
    }
    return false;
  }

  /// A floating joint turns: its quaternions within the segment are no polynomials that could be divided.
  bool turns() const {
    return std::any_of(s_.floating.begin(), s_.floating.end(), [&](std::size_t first) {
      return !std::equal(&route_.from[first] + 3, &route_.from[first] + 7, &route_.to[first] + 3);
    });
  }

  /// Bounds of a polynomial's speed and acceleration hold for all of its time: those of its parts are much sharper.
  void search_parts() {
    constexpr std::size_t parts = 8;
    const std::vector<OpenPair> open = std::move(open_);
    const Trajectory in_parts = motion::in_parts(route_.trajectory->data().segments[route_.segment], parts);
    result_.status = Status::free;
    for (std::size_t k = 0; k < parts && result_.status == Status::free; ++k) {
      std::vector<Pair> pairs;
      for (const OpenPair& pair : open)
        if (pair.not_before * parts < static_cast<double>(k + 1)) pairs.push_back(pair.pair);
      const Route part = route_of(in_parts, k);
      RobotMotionResult found;
      MotionCheck check(s_, part, options_, memory_, found);
      check.open_ = Spans(s_, part, memory_, found.counters).open_pairs(pairs);
      check.search();
      found.pairs += result_.pairs;
      found.counters += result_.counters;
      result_ = std::move(found);
      if (result_.status == Status::invalid_request) return;
      of_part(static_cast<double>(k), parts);
    }
  }

  /// The times of a part as those of the whole: (k + t) / parts. A contact at the start of a later part is one on the
  /// way.
  void of_part(double k, std::size_t parts) {
    const double n = static_cast<double>(parts);
    result_.safe = (Interval(k) + Interval(result_.safe)).lo / n;
    TimeBracket& time = result_.contact.time;
    time.safe = (Interval(k) + Interval(time.safe)).lo / n;
    if (!std::isnan(time.touch)) time.touch = std::max(time.safe, (k + time.touch) / n);
    if (k > 0 && result_.status == Status::touching_at_start) result_.status = result_.contact.status = Status::contact;
  }

  /// Pairs with one separation are asked together.
  void search() {
    result_.pairs = open_.size();
    std::vector<double> separations;
    for (const OpenPair& open : open_) separations.push_back(open.pair.separation);
    std::sort(separations.begin(), separations.end());
    separations.erase(std::unique(separations.begin(), separations.end()), separations.end());
    FirstContactsResult all;
    all.status = Status::free;
    all.safe = 1;
    for (const double separation : separations) merge(ask(separation), all);
    if (all.status == Status::invalid_request) return core::refuse(result_, all.error.value());
    result_.status = all.status;
    result_.safe = all.safe;
    result_.counters += all.counters;
    if (!all.earliest) {
      result_.contact.time = {all.safe, math::not_a_number};
      result_.contact.status = all.status;
      return;
    }
    result_.pair = PartPair{all.earliest->a, all.earliest->b};
    result_.contact = std::move(all.earliest->contact);
    to_world(s_, find(*result_.pair), route_, result_.contact);
  }

  Pair find(const PartPair& wanted) const {
    return std::find_if(open_.begin(), open_.end(),
                        [&](const OpenPair& o) { return o.pair.a == wanted.a && o.pair.b == wanted.b; })
        ->pair;
  }

  FirstContactsResult ask(double separation) {
    std::vector<ask::PairQuestion> questions;
    for (const OpenPair& open : open_) {
      const Pair& p = open.pair;
      if (p.separation != separation) continue;
      core::poll_once();
      auto [a, b] = route_.motions_of(s_, p);
      questions.push_back(
          {p.a, p.b, &s_.parts[p.a].body, &s_.parts[p.b].body, std::move(a), std::move(b), open.not_before});
    }
    FirstContactsOptions options;
    options.pair = options_.pair;
    options.pair.min_separation = separation;
    options.pair.certificate = options_.certificates;
    options.pair.all_contacts = options.pair.clearance = false;
    options.all_pairs = options_.certificates;
    options.threads = options_.threads;
    FirstContactsResult found;
    ask::ask_pairs(std::move(questions), options, found);
    for (PairContact& pair : found.pairs)
      result_.proofs.push_back(
          {{pair.a, pair.b}, pair.contact.status, std::move(pair.contact.certificate), route_.segment});
    return found;
  }

  /// As if all pairs had been asked at once: the earliest contact, and what is open before it.
  static void merge(FirstContactsResult found, FirstContactsResult& all) {
    all.counters += found.counters;
    if (found.status == Status::invalid_request && !all.error) all.error = std::move(found.error);
    const auto touch = [](const FirstContactsResult& r) {
      return r.earliest ? r.earliest->contact.time.touch : math::infinity;
    };
    const bool open = (all.status == Status::undecided && all.safe < touch(found)) ||
                      (found.status == Status::undecided && found.safe < touch(all));
    all.safe = std::min(all.safe, found.safe);
    const auto key = [&](const FirstContactsResult& r) { return std::tuple(touch(r), r.earliest->a, r.earliest->b); };
    if (found.earliest && (!all.earliest || key(found) < key(all))) all.earliest = std::move(found.earliest);
    all.status = all.error ? Status::invalid_request
                 : open    ? Status::undecided
                           : (all.earliest ? all.earliest->contact.status : Status::free);
  }

  const State& s_;
  const Route& route_;
  const RobotMotionOptions& options_;
  Memory& memory_;
  RobotMotionResult& result_;
  std::vector<OpenPair> open_;
};

}  // namespace

void check_route(const State& s, const Route& route, const RobotMotionOptions& options, RobotMotionResult& result) {
  std::optional<RobotMemory> own;
  Memory& memory = options.memory ? options.memory->memory() : own.emplace().memory();
  core::Limits limits(options.cancel, options.budget);
  try {
    const bool whole =
        core::run_within(limits, [&](core::Limits*) { MotionCheck(s, route, options, memory, result).run(); });
    if (!whole && result.status != Status::contact) result.status = Status::undecided;
  } catch (const Error& error) {
    core::refuse(result, error.detail());
  }
}

}  // namespace robot

RobotMotionResult Robot::check_motion(std::span<const double> from, std::span<const double> to,
                                      const RobotMotionOptions& options) const {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  RobotMotionResult result;
  if (core::refused(result, core::bad_threads(options.threads))) return result;
  robot::check_route(*state_, {from, to}, options, result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace graze
