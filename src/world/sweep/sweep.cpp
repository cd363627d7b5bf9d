// SPDX-License-Identifier: MIT
#include "world/sweep/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "ask/first_contact_options.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/first_contact/many/batches.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "math/vectors.hpp"
#include "world/record/hash.hpp"
#include "world/record/recorder.hpp"
#include "world/sweep/path_boxes.hpp"
#include "world/sweep/stops.hpp"

namespace graze {

namespace world {

namespace {

using math::infinity;

struct SweepQuestion {
  PairKey key;
  std::pair<Motion, Motion> motions;
  double not_before = 0;  ///< certified free of contact before this time
  bool straight = false;  ///< one of the bodies deforms, so vertices move on straight lines
  FirstContactCoherence* coherence = nullptr;
  FirstContactResult answer;
  std::unique_ptr<MethodCounters> of_method = {};  ///< on request
};

using engine::first_contact::touches;

/// What several sweeps that belong together (`SweepOptions::each`) remember.
struct Progress {
  std::unordered_map<std::uint32_t, double> covered;  ///< the part of its path that a body has covered; none: nothing
  std::unordered_set<PairKey> triggered;              ///< contacts with triggers that are listed already
  bool more = false;                                  ///< bodies have a rest of their path left

  /// A time of the present sweep as a time of the whole path.
  double time_of(PairKey key, double t) const {
    const double done = std::max(part(first(key)), part(second(key)));
    return done + t * (1 - done);
  }
  double part(std::uint32_t slot) const {
    const auto at = covered.find(slot);
    return at == covered.end() ? 0 : at->second;
  }
};

class Sweep {
 public:
  Sweep(State& state, const SweepOptions& options, SweepResult& result, Progress& progress)
      : state_(state),
        options_(options),
        result_(result),
        progress_(progress),
        front_(take(state, state.to_sweep, &BodyRecord::to_sweep)),
        again_(std::exchange(state.sweep_again, {})) {}

  void run() try {
    movers_.emplace(state_, front_);
    boxes_.emplace(state_, options_, *movers_);
    std::vector<SweepQuestion> questions = near_pairs();
    ask(questions);
    ended_ = core::stop_requested();
    gather(questions);
    result_.error || ended_ ? put_back() : remember();
  } catch (...) {
    put_back();
    throw;
  }

 private:
  std::vector<SweepQuestion> near_pairs() {
    std::vector<SweepQuestion> questions;
    for (const PairKey key : boxes_->near(again_)) {
      const Mover *a = movers_->find(first(key)), *b = movers_->find(second(key));
      ++result_.counters.near_pairs;
      if (!state_.wanted(key)) {
        ++result_.counters.of_no_interest;
        continue;
      }
      if (!state_.is_trigger(key)) near_.push_back(key);
      SweepQuestion q{key, {}, 0, (a && a->deforms) || (b && b->deforms), nullptr, {}};
      if (!q.straight) q.motions = movers_->motions(key);
      questions.push_back(std::move(q));
    }
    // Boxes that overlap over the whole path may never overlap at the same time.
    std::vector<Counters> counted(questions.size());
    core::parallel_for(questions.size(), state_.options.threads, [&](std::size_t i) {
      SweepQuestion& q = questions[i];
      const std::uint32_t a = first(q.key), b = second(q.key);
      if (!q.straight)
        q.not_before = engine::first_contact::boxes_meet(*state_.bodies[a].body, q.motions.first, boxes_->margin(a),
                                                         *state_.bodies[b].body, q.motions.second, boxes_->margin(b), 0,
                                                         1, 3, counted[i]);
    });
    for (const Counters& c : counted) result_.counters.methods += c;
    std::erase_if(questions, [](const SweepQuestion& q) { return !(q.not_before <= 1); });
    if (options_.method == "advancement" || options_.method == "interval") remember_pairs(questions);
    return questions;
  }

  /// Methods that use coherence data get one entry for each pair that is still near.
  void remember_pairs(std::vector<SweepQuestion>& questions) {
    const BroadPhase& boxes = *state_.swept_broad;
    result_.counters.memories_dropped += state_.coherences.drop_first_contact([&](PairKey k) {
      return !boxes.contains(first(k)) || !boxes.contains(second(k)) ||
             !boxes.box(first(k)).overlaps(boxes.box(second(k)));
    });
    for (SweepQuestion& q : questions) {
      if (q.straight) continue;
      q.coherence =
          state_.coherences.first_contact(q.key, *state_.bodies[first(q.key)].body, *state_.bodies[second(q.key)].body);
      result_.counters.memories_refused += !q.coherence;
    }
  }

  /// A pair of which nothing is known from this time on.
  static FirstContactResult open_since(double time) {
    FirstContactResult r;
    r.time = {time, math::not_a_number};
    r.gap = math::not_a_number;
    return r;
  }

  void ask_one(SweepQuestion& q) const {
    if (options_.method_counters) q.of_method = std::make_unique<MethodCounters>();
    const BodyRecord &a = state_.bodies[first(q.key)], &b = state_.bodies[second(q.key)];
    if (q.straight) {
      const auto straight = [](const BodyRecord& r) {
        return StraightBody{r.swept_body ? *r.swept_body : *r.body, *r.body, r.swept_from, r.pose};
      };
      if (options_.min_separation > 0) {
        core::refuse(q.answer, core::problem(ErrorCode::unsupported, "option min_separation",
                                             "no separation is kept for bodies that deform; sweep without it"));
        return;
      }
      if (!a.body->has_mesh() || !b.body->has_mesh()) {  // not certified either way
        q.answer = open_since(0);
        q.answer.error =
            core::problem(ErrorCode::unsupported, "body",
                          "a deforming body is not swept against a curved shape, a half-space or a compound");
        return;
      }
      try {
        q.answer = straight_contact(straight(a), straight(b), boxes_->tolerance(q.key), state_.options.solid,
                                    q.of_method.get());
      } catch (const core::Stopped&) {
        q.answer = open_since(0);
      }
      return;
    }
    FirstContactOptions o;
    o.method = options_.method;
    o.tolerance = boxes_->tolerance(q.key);
    o.ignore_start_if_separating = options_.ignore_start_if_separating;
    o.min_separation = options_.min_separation;
    o.solid = state_.options.solid;
    o.work = options_.work;
    o.coherence = q.coherence;
    o.method_counters = q.of_method.get();
    ask::first_contact_inside(*a.body, q.motions.first, *b.body, q.motions.second, o, q.answer);
    movers_->to_world(q.key, q.answer);
  }

  /// Tests all pairs, or only the earliest candidates: in ascending order of possible contact time until no other pair
  /// can be earlier.
  void ask(std::vector<SweepQuestion>& questions) {
    if (options_.earliest)
      std::sort(questions.begin(), questions.end(), [](const SweepQuestion& x, const SweepQuestion& y) {
        return std::tie(x.not_before, x.key) < std::tie(y.not_before, y.key);
      });
    double best = infinity;
    const std::size_t asked = engine::first_contact::ask_in_batches(
        questions.size(), !options_.earliest, [&](std::size_t next) { return questions[next].not_before <= best; },
        [&](std::size_t first, std::size_t size) {
          core::parallel_for(size, state_.options.threads, [&](std::size_t i) {
            SweepQuestion& q = questions[first + i];
            if (core::stop_requested())
              q.answer = open_since(q.not_before);
            else
              ask_one(q);
          });
          for (std::size_t i = first; i < first + size; ++i)
            if (touches(questions[i].answer) && !state_.is_trigger(questions[i].key))
              best = std::min(best, questions[i].answer.time.touch);
        });
    result_.counters.asked += asked;
    questions.resize(asked);
  }

  void gather(std::vector<SweepQuestion>& questions) {
    std::sort(questions.begin(), questions.end(), [](const auto& x, const auto& y) { return x.key < y.key; });
    for (SweepQuestion& q : questions) {
      result_.counters.methods += q.answer.counters;
      if (q.of_method) *options_.method_counters += *q.of_method;
      if (q.answer.status == Status::invalid_request && !result_.error) result_.error = q.answer.error;
    }
    if (options_.each && !result_.error && !ended_)
      gather_each(questions);
    else
      gather_together(questions);
  }

  /// All bodies stop at the same time, that of the earliest contact.
  void gather_together(std::vector<SweepQuestion>& questions) {
    for (SweepQuestion& q : questions)
      if (q.answer.status != Status::free && !state_.is_trigger(q.key)) list(q);
    conclude();
    const double stood = advance(questions);
    for (SweepQuestion& q : questions)
      if (state_.is_trigger(q.key)) list_trigger(q, stood);
    if (!options_.earliest || !result_.earliest) return;
    // Only the earliest contact was requested. The other answers are incomplete.
    std::swap(result_.contacts[0], result_.contacts[*result_.earliest]);
    result_.contacts.erase(result_.contacts.begin() + 1, result_.contacts.end());
    result_.earliest = 0;
  }

  /// Only the bodies that touch stop.
  void gather_each(std::vector<SweepQuestion>& questions) {
    std::vector<PairEnd> ends;
    for (const SweepQuestion& q : questions)
      if (!state_.is_trigger(q.key) && q.answer.status != Status::free)
        ends.push_back({q.key, q.answer.time.safe, touches(q.answer)});
    const Stops stops(state_, *movers_, near_, ends);
    for (SweepQuestion& q : questions) {
      if (state_.is_trigger(q.key))
        list_trigger(q, stops.time(q.key));
      else if (q.answer.status == Status::undecided || stops.stops({q.key, q.answer.time.safe, touches(q.answer)}))
        list(q);
    }
    conclude();
    const bool left = stops.apply(state_);
    progress_.more = left && result_.status != Status::undecided;  // a limit: the next call of `sweep` goes on
    for (const Mover& m : movers_->all()) {
      const double done = progress_.part(m.slot);
      progress_.covered[m.slot] = done + stops.time(m.slot) * (1 - done);
    }
    result_.advanced |= !ends.empty();
  }

  void list(SweepQuestion& q) {
    if (q.answer.status == Status::undecided && options_.advance && !result_.error && !ended_)
      state_.sweep_again.insert(q.key);
    in_whole_path(q);
    result_.counters.contacts += touches(q.answer);
    result_.contacts.push_back({state_.id(first(q.key)), state_.id(second(q.key)), std::move(q.answer), q.straight});
  }

  /// The first contact with a trigger, if it comes before the bodies stop.
  void list_trigger(SweepQuestion& q, double stop) {
    if (q.answer.status == Status::free || (touches(q.answer) && q.answer.time.touch > stop)) return;
    if (!progress_.triggered.insert(q.key).second) return;
    in_whole_path(q);
    result_.triggers.push_back({state_.id(first(q.key)), state_.id(second(q.key)), std::move(q.answer), q.straight});
  }

  void in_whole_path(SweepQuestion& q) const {
    TimeBracket& time = q.answer.time;
    if (progress_.time_of(q.key, 0) == 0) return;  // the path begins here
    // Rounded: the time at which the pair is certified to be apart must not become later.
    time.safe = std::max(progress_.time_of(q.key, 0), std::nextafter(progress_.time_of(q.key, time.safe), 0.0));
    time.touch = progress_.time_of(q.key, time.touch);
  }

  /// Status, the earliest contact and the safe time from the contacts listed so far.
  void conclude() {
    double undecided = infinity, best = infinity;
    result_.earliest.reset();
    result_.safe = 1;
    for (std::size_t i = 0; i < result_.contacts.size(); ++i) {
      const FirstContactResult& r = result_.contacts[i].contact;
      if (r.status == Status::undecided) undecided = std::min(undecided, r.time.safe);
      if (r.status != Status::invalid_request) result_.safe = std::min(result_.safe, r.time.safe);
      if (touches(r) && r.time.touch < best) best = r.time.touch, result_.earliest = i;
    }
    if (result_.error)
      result_.status = Status::invalid_request;
    else if (undecided < best || ended_)
      result_.status = Status::undecided;
    else
      result_.status = result_.earliest ? result_.contacts[*result_.earliest].contact.status : Status::free;
  }

  /// Advances the bodies to a time before which no pair of interest touches. If a budget left pairs undecided, only the
  /// path up to that time is certified: the next sweep covers the rest, and tests the undecided pairs again even if
  /// nothing moved them. A known contact ends the path. Returns the time; 1: to the end.
  double advance(const std::vector<SweepQuestion>& questions) {
    if (!options_.advance || result_.error || ended_) return 1;
    const bool cut = result_.status == Status::undecided;
    if (!cut && !result_.earliest) return 1;
    std::vector<PairKey> pairs;
    for (const SweepQuestion& q : questions)
      if (!state_.is_trigger(q.key)) pairs.push_back(q.key);
    const double t = time_to_stand(state_, *movers_, pairs, result_.safe);
    for (const Mover& m : movers_->all()) advance_body(state_, m, t, cut);
    result_.advanced = true;
    return t;
  }

  /// A refused request has no answer, and one that time or a cancellation ended has only part of one, which part is not
  /// reproducible: the next sweep must cover this path too.
  void put_back() {
    for (const std::uint32_t slot : front_) {
      state_.bodies[slot].to_sweep = true;
      state_.to_sweep.push_back(slot);
    }
    state_.sweep_again.merge(again_);
  }

  /// The next sweep starts from here.
  void remember() {
    for (const Mover& m : movers_->all()) {
      BodyRecord& r = state_.bodies[m.slot];
      r.swept_from = r.pose;
      r.swept_body.reset();
      r.swept = true;
      state_.last_swept.push_back(m.slot);
      if (r.articulated == no_slot) continue;
      ArticulatedRecord& a = state_.articulated[r.articulated];
      a.swept_coordinates = a.coordinates;
      a.swept_base = a.base;
    }
  }

  State& state_;
  const SweepOptions& options_;
  SweepResult& result_;
  Progress& progress_;
  std::vector<std::uint32_t> front_;  ///< bodies that moved since the last sweep
  std::unordered_set<PairKey> again_;
  std::optional<Movers> movers_;
  std::optional<PathBoxes> boxes_;
  std::vector<PairKey> near_;  ///< pairs of interest whose paths may meet, at the same time or not; without triggers
  bool ended_ = false;         ///< by time or a cancellation
};

}  // namespace

/// Checks the options, even if there is no pair to test.
std::optional<ErrorDetail> mistake_in(const SweepOptions& options) {
  FirstContactOptions o;
  o.method = options.method;
  o.tolerance = options.tolerance;
  if (options.each && (options.earliest || !options.advance))
    return core::bad_option("each", "it needs `advance`, and cannot be combined with `earliest`");
  o.min_separation = options.min_separation;
  o.ignore_start_if_separating = options.min_separation > 0 && options.ignore_start_if_separating;
  if (options.advance && options.min_separation > 0)
    return core::problem(ErrorCode::unsupported, "option min_separation",
                         "poses are rounded when bodies are put back, which keeps them apart but not by a separation; "
                         "sweep without advance");
  return ask::mistake_in(o);
}

/// By (a, b); a pair that touched twice, by time.
void sort_contacts(SweepResult& result) {
  const auto earlier = [](const SweepContact& x, const SweepContact& y) {
    return std::tie(x.a, x.b, x.contact.time.safe) < std::tie(y.a, y.b, y.contact.time.safe);
  };
  if (std::is_sorted(result.contacts.begin(), result.contacts.end(), earlier)) return;
  const std::optional<SweepContact> first =
      result.earliest ? std::optional(result.contacts[*result.earliest]) : std::nullopt;
  std::stable_sort(result.contacts.begin(), result.contacts.end(), earlier);
  std::stable_sort(result.triggers.begin(), result.triggers.end(), earlier);
  if (!first) return;
  const auto at = std::find_if(result.contacts.begin(), result.contacts.end(), [&](const SweepContact& c) {
    return c.a == first->a && c.b == first->b && c.contact.time.safe == first->contact.time.safe;
  });
  result.earliest = static_cast<std::size_t>(at - result.contacts.begin());
}

std::optional<ErrorDetail> mistake_in_advance(const State& state) {
  for (const std::uint32_t slot : state.to_sweep) {
    if (!state.body_slots.used(slot)) continue;
    const BodyRecord& r = state.bodies[slot];
    if (r.swept_body || (r.frame != no_slot && !(r.swept_from == r.pose)))
      return core::problem(
          ErrorCode::bad_option, "body",
          "a body that deforms or was moved by or in a frame cannot be put back on its path; sweep without advance",
          slot);
  }
  return std::nullopt;
}

}  // namespace world

void World::sweep(const SweepOptions& options, SweepResult& result) try {
  result = SweepResult{};
  core::clear(options.method_counters);
  world::State& state = *state_;
  const world::Asking asking(state);
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  if (state.recorder) state.recorder->flush();
  world::place_moved(state, result.counters);
  bool decided = true;
  if (!core::refused(result, world::mistake_in(options)) &&
      !(options.advance && core::refused(result, world::mistake_in_advance(state)))) {
    if (world::resume_paths(state)) world::place_moved(state, result.counters);
    core::Limits destroyed, limits(options.cancel, options.budget);  // `work` is each pair's own
    destroyed.stop = state.stop;
    decided = core::run_within(destroyed, [&](core::Limits*) {
      const bool ran = core::run_within(limits, [&](core::Limits*) {
        world::Progress progress;
        do {
          if (std::exchange(progress.more, false)) {
            world::resume_paths(state);
            world::place_moved(state, result.counters);
          }
          world::Sweep(state, options, result, progress).run();
        } while (progress.more);
        world::sort_contacts(result);
      });
      if (!ran) destroyed.end();
    });
    decided = decided && !destroyed.cut();
    if (!decided) result.status = Status::undecided;
    if (!decided && result.contacts.empty()) result.safe = 0;  // ended before any pair was known
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (state.recorder && !decided) return state.recorder->line("sweep_ended");
  if (!state.recorder) return;
  const auto record = [&](std::string_view call, const auto&... first) {
    state.recorder->line(call, first..., options.earliest, options.advance, options.method, options.tolerance,
                         options.ignore_start_if_separating, options.work, world::answer_hash(result));
  };
  if (options.min_separation > 0)
    record("sweep_apart", options.min_separation);
  else
    record(options.each ? "sweep_each" : "sweep");
} catch (const Error& error) {  // a pose beyond all doubles; asked from a callback of this world
  result = SweepResult{};
  core::refuse(result, error.detail());
}

SweepResult World::sweep(const SweepOptions& options) {
  SweepResult result;
  sweep(options, result);
  return result;
}

}  // namespace graze
