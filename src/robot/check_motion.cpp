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
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "robot/reach.hpp"

namespace graze {

namespace robot {

namespace {

/// A pair that is certified apart until `not_before`.
struct OpenPair {
  Pair pair;
  double not_before;
};

/// Certifies pairs apart for spans of the motion from single states: `Reach` bounds how far parts get from where they
/// are in the middle of a span, and the distance there is larger. What is not certified after some halvings is left to
/// the search for the first contact.
class Spans {
 public:
  Spans(const State& state, std::span<const double> from, std::span<const double> to, double separation, Memory& memory,
        Counters& counters)
      : s_(state),
        from_(from),
        to_(to),
        separation_(separation),
        memory_(memory),
        counters_(counters),
        levels_(most_halvings + 1) {}

  /// In the order of the times until which they are certified.
  std::vector<OpenPair> open_pairs() {
    std::vector<Pair> all = s_.pairs;
    for (std::uint32_t a = 0; a < s_.moving; ++a)
      for (std::uint32_t o = 0; o < s_.obstacles.size(); ++o)
        if (!s_.may_touch_obstacle(a, o)) all.push_back(s_.with_obstacle(a, o));
    for (Pair& pair : all) pair.separation = next_up(pair.separation + separation_);
    if (reach_applies(s_.chain, from_, to_)) {
      halve(0, 1, 0, all);
    } else {
      for (const Pair& pair : all) open_.push_back({pair, 0});
    }
    return std::move(open_);
  }

 private:
  static constexpr int most_halvings = 5;

  /// The state in the middle of a span, and how far each coordinate gets from it: half of the way, and the rounding of
  /// the middle.
  void set_middle(double t0, double t1) {
    const double t = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
    middle_.resize(from_.size());
    away_.resize(from_.size());
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const double way = to_[i] - from_[i];
      middle_[i] = from_[i] + t * way;
      away_[i] =
          way == 0 ? 0 : (half * std::fabs(way)) * (1 + 0x1p-40) + 0x1p-50 * (std::fabs(from_[i]) + std::fabs(to_[i]));
    }
  }

  void halve(double t0, double t1, int depth, const std::vector<Pair>& pairs) {
    set_middle(t0, t1);
    StateCheck check(s_, middle_, memory_, counters_);
    check.place_all();
    Reach reach(s_);
    reach.set(away_, memory_.links, memory_.placed);
    std::vector<Pair>& rest = levels_[static_cast<std::size_t>(depth)];
    rest.clear();
    for (const Pair& pair : pairs) {
      core::poll_once();
      const double way = reach.of(pair);
      if (!check.apart(pair, way)) rest.push_back(pair);
    }
    if (rest.empty()) return;
    if (depth == most_halvings) {
      for (const Pair& pair : rest) leave(pair, t0);
      return;
    }
    const double t = 0.5 * (t0 + t1);
    halve(t0, t, depth + 1, rest);
    // What is open already is searched from there on in any case.
    std::erase_if(rest, [&](const Pair& pair) { return is_open(pair); });
    if (!rest.empty()) halve(t, t1, depth + 1, rest);
  }

  bool is_open(const Pair& pair) const {
    return std::any_of(open_.begin(), open_.end(),
                       [&](const OpenPair& o) { return o.pair.a == pair.a && o.pair.b == pair.b; });
  }
  void leave(const Pair& pair, double t) {
    if (!is_open(pair)) open_.push_back({pair, t});
  }

  const State& s_;
  std::span<const double> from_, to_;
  double separation_;
  Memory& memory_;
  Counters& counters_;
  std::vector<double> middle_, away_;
  std::vector<std::vector<Pair>> levels_;
  std::vector<OpenPair> open_;
};

/// Two links are asked in the frame of their nearest common ancestor: transforms the answer to the world.
void to_world(const State& s, const Pair& pair, std::span<const double> from, std::span<const double> to,
              FirstContactResult& contact) {
  if (pair.b >= s.moving || !contact.points) return;
  const Motion frame = pair.ancestor == no_link ? s.chain.base() : s.chain.link_motion(LinkId{pair.ancestor}, from, to);
  const Placement at = frame.at(contact.time.touch);
  for (Vec3& x : *contact.points) x = at.apply(x);
  if (!contact.normal) return;
  const Vec3 n = Placement{at.r, {}}.apply(*contact.normal);
  contact.normal = n * (1 / length(n));
}

class MotionCheck {
 public:
  MotionCheck(const State& state, std::span<const double> from, std::span<const double> to,
              const RobotMotionOptions& options, Memory& memory, RobotMotionResult& result)
      : s_(state), from_(from), to_(to), options_(options), memory_(memory), result_(result) {}

  void run() {
    s_.chain.beyond_limits(from_);  // throws where a state is wrong
    s_.chain.beyond_limits(to_);
    if (auto mistake = ask::mistake_in(options_.pair)) return core::refuse(result_, std::move(*mistake));
    if (!options_.first && !options_.certificates && touches_at_the_end()) return;
    Spans spans(s_, from_, to_, options_.pair.min_separation, memory_, result_.counters);
    open_ = options_.certificates ? all_pairs() : spans.open_pairs();
    search();
  }

 private:
  std::vector<OpenPair> all_pairs() const {
    std::vector<OpenPair> all;
    for (const Pair& pair : s_.pairs) all.push_back({pair, 0});
    for (std::uint32_t a = 0; a < s_.moving; ++a)
      for (std::uint32_t o = 0; o < s_.obstacles.size(); ++o)
        if (!s_.may_touch_obstacle(a, o)) all.push_back({s_.with_obstacle(a, o), 0});
    for (OpenPair& open : all) open.pair.separation = next_up(open.pair.separation + options_.pair.min_separation);
    return all;
  }

  /// Planners reach into the unknown: the end of an edge touches more often than what is before.
  bool touches_at_the_end() {
    StateCheck check(s_, to_, memory_, result_.counters);
    check.place_all();
    const auto found = [&](Pair pair) {
      pair.separation = next_up(pair.separation + options_.pair.min_separation);
      if (!check.touches(pair)) return false;
      result_.status = result_.contact.status = Status::contact;
      result_.pair = PartPair{pair.a, pair.b};
      result_.contact.time = {0, 1};
      return true;
    };
    for (const Pair& pair : s_.pairs)
      if (found(pair)) return true;
    for (std::uint32_t a = 0; a < s_.moving; ++a)
      for (std::uint32_t o = 0; o < s_.obstacles.size(); ++o)
        if (!s_.may_touch_obstacle(a, o) && found(s_.with_obstacle(a, o))) return true;
    return false;
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
    to_world(s_, find(*result_.pair), from_, to_, result_.contact);
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
      auto [a, b] = motions_of(s_, p, from_, to_);
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
      result_.proofs.push_back({{pair.a, pair.b}, pair.contact.status, std::move(pair.contact.certificate)});
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
  std::span<const double> from_, to_;
  const RobotMotionOptions& options_;
  Memory& memory_;
  RobotMotionResult& result_;
  std::vector<OpenPair> open_;
};

void check_segment(const State& s, std::span<const double> from, std::span<const double> to,
                   const RobotMotionOptions& options, RobotMotionResult& result) {
  std::optional<RobotMemory> own;
  Memory& memory = options.memory ? options.memory->memory() : own.emplace().memory();
  core::Limits limits(options.cancel, options.budget);
  try {
    const bool whole =
        core::run_within(limits, [&](core::Limits*) { MotionCheck(s, from, to, options, memory, result).run(); });
    if (!whole && result.status != Status::contact) result.status = Status::undecided;
  } catch (const Error& error) {
    core::refuse(result, error.detail());
  }
}

}  // namespace

}  // namespace robot

RobotMotionResult Robot::check_motion(std::span<const double> from, std::span<const double> to,
                                      const RobotMotionOptions& options) const {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  RobotMotionResult result;
  if (core::refused(result, core::bad_threads(options.threads))) return result;
  robot::check_segment(*state_, from, to, options, result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

RobotMotionResult Robot::check_path(std::span<const double> waypoints, const RobotMotionOptions& options) const {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  RobotMotionResult result;
  const std::size_t n = coordinates();
  if (core::refused(result, core::bad_threads(options.threads))) return result;
  if (n == 0 || waypoints.size() % n != 0 || waypoints.size() < 2 * n) {
    core::refuse(result, core::problem(ErrorCode::bad_option, "path",
                                       "a path has at least two waypoints of " + std::to_string(n) + " coordinates"));
    return result;
  }
  const std::size_t segments = waypoints.size() / n - 1;
  const auto at = [&](std::size_t i) { return waypoints.subspan(i * n, n); };
  // As many segments at a time as there are threads, each by one thread: what follows the first contact is dropped.
  RobotMotionOptions each = options;
  each.threads = 1;
  if (options.threads > 1) each.memory = nullptr;
  const std::size_t most = static_cast<std::size_t>(options.threads);
  std::uint64_t pairs = 0;
  Counters counters;
  for (std::size_t first = 0; first < segments; first += most) {
    std::vector<RobotMotionResult> answers(std::min(most, segments - first));
    core::parallel_for(answers.size(), options.threads, [&](std::size_t i) {
      robot::check_segment(*state_, at(first + i), at(first + i + 1), each, answers[i]);
    });
    for (std::size_t i = 0; i < answers.size(); ++i) {
      result = std::move(answers[i]);
      result.segment = first + i;
      result.counters += counters;
      counters = result.counters;
      result.pairs = pairs += result.pairs;
      if (result.status != Status::free) {
        first = segments;
        break;
      }
    }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace graze
