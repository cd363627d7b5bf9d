// SPDX-License-Identifier: MIT
#include "world/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "ask/first_contact_options.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "math/vectors.hpp"
#include "world/hash.hpp"
#include "world/placed_box.hpp"
#include "world/recorder.hpp"

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

bool touches(const FirstContactResult& r) {
  return r.status == Status::contact || r.status == Status::touching_at_start;
}

class Sweep {
 public:
  Sweep(State& state, const SweepOptions& options, SweepResult& result)
      : state_(state),
        options_(options),
        result_(result),
        front_(take(state, state.to_sweep, &BodyRecord::to_sweep)),
        again_(std::exchange(state.sweep_again, {})) {}

  void run() try {
    movers_.emplace(state_, front_);
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
  std::optional<double> tolerance(PairKey key) const {
    const PairRecord* own = state_.find_pair(key);
    return own && own->settings.tolerance ? own->settings.tolerance : options_.tolerance;
  }

  /// No pair's tolerance exceeds the sum of the margins of its two bodies.
  double margin(std::uint32_t slot) const {
    const BodyRecord& r = state_.bodies[slot];
    // The separation is in both margins, so that it is in that of a body that moves: a body at rest may keep the swept
    // box of an earlier sweep.
    double m = engine::first_contact::margin_of(*r.body, options_.tolerance.value_or(0)) + options_.min_separation;
    for (const std::uint32_t other : r.pair_partners)
      if (const auto own = state_.find_pair(key_of(slot, other))->settings.tolerance)
        m = std::max(m, *own + options_.min_separation);
    return m;
  }

  Box3 swept_box(std::uint32_t slot) const {
    const BodyRecord& r = state_.bodies[slot];
    const Mover* m = movers_->find(slot);
    if (!m) return widened(placed_box(r.body->box(), r.pose), margin(slot));
    // The boxes at both ends, plus a box for the motion between. Vertices on straight lines do not leave the common box
    // of the ends.
    Box3 ends = placed_box(r.body->box(), r.pose);
    ends.add(placed_box((r.swept_body ? *r.swept_body : *r.body).box(), r.swept_from));
    if (!m->deforms) ends.add(widened(engine::first_contact::swept_box(*r.body, m->motion, 0, 1, 0), 0));
    return widened(ends, margin(slot));
  }

  /// The bodies with new swept boxes: those that move now, and those that moved in the last sweep and now rest.
  void update_boxes() {
    std::vector<std::uint32_t> slots;
    if (!state_.swept_broad) {
      state_.swept_broad.emplace(BroadOptions{.method = state_.options.broad});
      for (std::uint32_t s = 0; s < state_.body_slots.end(); ++s)
        if (state_.body_slots.used(s)) slots.push_back(s);
    } else {
      slots = take(state_, state_.last_swept, &BodyRecord::swept);
      for (const Mover& m : movers_->all()) slots.push_back(m.slot);
      std::sort(slots.begin(), slots.end());
      slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    }
    std::vector<Box3> boxes(slots.size());
    core::parallel_for(slots.size(), state_.options.threads, [&](std::size_t i) { boxes[i] = swept_box(slots[i]); });
    for (std::size_t i = 0; i < slots.size(); ++i) {
      BodyRecord& r = state_.bodies[slots[i]];
      if (r.swept_placed)
        state_.swept_broad->update(slots[i], boxes[i]);
      else
        state_.swept_broad->insert(slots[i], boxes[i]);
      r.swept_placed = true;
    }
  }

  /// Pairs of overlapping swept boxes where a body moved or the pair's own settings are new.
  std::vector<PairKey> near_keys() {
    update_boxes();
    std::vector<BoxPair> near;
    state_.swept_broad->moved_pairs(near, state_.options.threads);
    std::vector<PairKey> keys;
    for (const BoxPair& p : near)
      if (movers_->find(p.a) || movers_->find(p.b)) keys.push_back(key_of(p.a, p.b));  // else a body only came to rest
    for (const PairKey k : again_)
      if (state_.body_slots.used(first(k)) && state_.body_slots.used(second(k)) &&
          swept_box(first(k)).overlaps(swept_box(second(k))))  // with the margins of the present tolerance
        keys.push_back(k);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

  std::vector<SweepQuestion> near_pairs() {
    std::vector<SweepQuestion> questions;
    for (const PairKey key : near_keys()) {
      const Mover *a = movers_->find(first(key)), *b = movers_->find(second(key));
      ++result_.counters.near_pairs;
      if (!state_.wanted(key)) {
        ++result_.counters.of_no_interest;
        continue;
      }
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
        q.not_before =
            engine::first_contact::boxes_meet(*state_.bodies[a].body, q.motions.first, margin(a),
                                              *state_.bodies[b].body, q.motions.second, margin(b), 0, 1, 3, counted[i]);
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
        q.answer.error = core::problem(ErrorCode::unsupported, "body",
                                       "a deforming body is not swept against a curved shape or a half-space");
        return;
      }
      try {
        q.answer =
            straight_contact(straight(a), straight(b), tolerance(q.key), state_.options.solid, q.of_method.get());
      } catch (const core::Stopped&) {
        q.answer = open_since(0);
      }
      return;
    }
    FirstContactOptions o;
    o.method = options_.method;
    o.tolerance = tolerance(q.key);
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
  /// can be earlier. Batch sizes do not depend on the number of threads, so neither does the set of tested pairs.
  void ask(std::vector<SweepQuestion>& questions) {
    if (options_.earliest)
      std::sort(questions.begin(), questions.end(), [](const SweepQuestion& x, const SweepQuestion& y) {
        return std::tie(x.not_before, x.key) < std::tie(y.not_before, y.key);
      });
    std::size_t size = options_.earliest ? 4 : questions.size(), asked = 0;
    double best = infinity;
    while (asked < questions.size() && questions[asked].not_before <= best) {
      size = std::min(size, questions.size() - asked);
      core::parallel_for(size, state_.options.threads, [&](std::size_t i) {
        SweepQuestion& q = questions[asked + i];
        if (core::stop_requested())
          q.answer = open_since(q.not_before);
        else
          ask_one(q);
      });
      for (std::size_t i = asked; i < asked + size; ++i)
        if (touches(questions[i].answer)) best = std::min(best, questions[i].answer.time.touch);
      asked += size;
      size = std::min<std::size_t>(2 * size, 256);
    }
    result_.counters.asked += asked;
    questions.resize(asked);
  }

  void gather(std::vector<SweepQuestion>& questions) {
    std::sort(questions.begin(), questions.end(), [](const auto& x, const auto& y) { return x.key < y.key; });
    double undecided = infinity, best = infinity;
    std::vector<PairKey> open;
    for (SweepQuestion& q : questions) {
      result_.counters.methods += q.answer.counters;
      if (q.of_method) *options_.method_counters += *q.of_method;
      if (q.answer.status == Status::free) continue;
      if (q.answer.status == Status::invalid_request && !result_.error) result_.error = q.answer.error;
      if (q.answer.status == Status::undecided) {
        undecided = std::min(undecided, q.answer.time.safe);
        open.push_back(q.key);
      }
      if (touches(q.answer)) {
        ++result_.counters.contacts;
        result_.safe = std::min(result_.safe, q.answer.time.safe);
        if (q.answer.time.touch < best) best = q.answer.time.touch, result_.earliest = result_.contacts.size();
      }
      result_.contacts.push_back({state_.id(first(q.key)), state_.id(second(q.key)), std::move(q.answer), q.straight});
    }
    result_.safe = std::min(result_.safe, undecided);
    if (result_.error)
      result_.status = Status::invalid_request;
    else if (undecided < best || ended_)
      result_.status = Status::undecided;
    else
      result_.status = result_.earliest ? result_.contacts[*result_.earliest].contact.status : Status::free;
    advance(questions, open);
    if (!options_.earliest || !result_.earliest) return;
    // Only the earliest contact was requested. The other answers are incomplete.
    std::swap(result_.contacts[0], result_.contacts[*result_.earliest]);
    result_.contacts.erase(result_.contacts.begin() + 1, result_.contacts.end());
    result_.earliest = 0;
  }

  /// Advances the bodies to a time before which no pair of interest touches. If a budget left pairs undecided, only the
  /// path up to that time is certified: the next sweep covers the rest, and tests the undecided pairs again even if
  /// nothing moved them. A known contact ends the path.
  void advance(const std::vector<SweepQuestion>& questions, const std::vector<PairKey>& undecided) {
    if (!options_.advance || result_.error || ended_) return;
    state_.sweep_again.insert(undecided.begin(), undecided.end());
    const bool cut = result_.status == Status::undecided;
    if (!cut && !result_.earliest) return;
    std::vector<PairKey> pairs;
    for (const SweepQuestion& q : questions) pairs.push_back(q.key);
    advance_to(state_, *movers_, time_to_stand(state_, *movers_, pairs, result_.safe), cut);
    result_.advanced = true;
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
  std::vector<std::uint32_t> front_;  ///< bodies that moved since the last sweep
  std::unordered_set<PairKey> again_;
  std::optional<Movers> movers_;
  bool ended_ = false;  ///< by time or a cancellation
};

}  // namespace

/// Checks the options, even if there is no pair to test.
std::optional<ErrorDetail> mistake_in(const SweepOptions& options) {
  FirstContactOptions o;
  o.method = options.method;
  o.tolerance = options.tolerance;
  o.min_separation = options.min_separation;
  o.ignore_start_if_separating = options.min_separation > 0 && options.ignore_start_if_separating;
  if (options.advance && options.min_separation > 0)
    return core::problem(ErrorCode::unsupported, "option min_separation",
                         "poses are rounded when bodies are put back, which keeps them apart but not by a separation; "
                         "sweep without advance");
  return ask::mistake_in(o);
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
      if (!core::run_within(limits, [&](core::Limits*) { world::Sweep(state, options, result).run(); }))
        destroyed.end();
    });
    decided = decided && !destroyed.cut();
    if (!decided) result.status = Status::undecided;
    if (!decided && result.contacts.empty()) result.safe = 0;  // ended before any pair was known
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (state.recorder && !decided) return state.recorder->line("sweep_ended");
  if (state.recorder && options.min_separation > 0)
    state.recorder->line("sweep_apart", options.min_separation, options.earliest, options.advance, options.method,
                         options.tolerance, options.ignore_start_if_separating, options.work,
                         world::answer_hash(result));
  else if (state.recorder)
    state.recorder->line("sweep", options.earliest, options.advance, options.method, options.tolerance,
                         options.ignore_start_if_separating, options.work, world::answer_hash(result));
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
