// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "world/record/recorder.hpp"
#include "world/state.hpp"

namespace graze {

namespace world {

namespace {

/// Methods that start from the pair's last separating plane (Zachmann 3.4.2).
bool remembers(std::string_view method) { return method == "separating_plane" || method == "dual"; }

/// Drops the coherence data of pairs whose boxes no longer overlap.
void forget_parted(State& state, WorldCounters& counters) {
  counters.memories_dropped += state.coherences.drop_collide([&](PairKey k) {
    return !state.broad.contains(first(k)) || !state.broad.contains(second(k)) ||
           !state.broad.box(first(k)).overlaps(state.broad.box(second(k)));
  });
}

bool is_timed(const CheckOptions& options) { return options.budget || options.cancel.flag(); }

CheckBounds bounds_of(const CheckOptions& options) {
  CheckBounds bounds;
  bounds.work = options.work;
  if (options.pairs) bounds.pairs = *options.pairs;
  bounds.for_caller = options.work > 0 || options.pairs || is_timed(options);
  return bounds;
}

/// Pairs of interest whose boxes overlap and of which a body moved or something else changed. Sorted by (a, b).
std::vector<Question> candidates(State& state, std::vector<PairKey>& again, WorldCounters& counters) {
  forget_parted(state, counters);
  std::vector<BoxPair> near;
  state.broad.moved_pairs(near, state.options.threads);
  std::vector<PairKey> keys;
  keys.reserve(near.size());
  for (const BoxPair& p : near) keys.push_back(key_of(p.a, p.b));
  again.assign(state.again.begin(), state.again.end());
  state.again.clear();
  std::erase_if(again,
                [&](PairKey k) { return !state.body_slots.used(first(k)) || !state.body_slots.used(second(k)); });
  for (const PairKey k : again)
    if (state.broad.box(first(k)).overlaps(state.broad.box(second(k)))) keys.push_back(k);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  counters.near_pairs += keys.size();
  std::vector<Question> questions;
  for (const PairKey k : keys) {
    // The interest matrix comes after the space index and before the narrow phase (Zachmann 7.0.1).
    if (!state.wanted(k)) {
      ++counters.of_no_interest;
      continue;
    }
    Question q;
    q.key = k;
    q.margin = state.bodies[first(k)].settings.margin + state.bodies[second(k)].settings.margin;
    if (const PairRecord* own = state.find_pair(k)) q.method = own->settings.method;
    if (remembers(q.method)) {
      q.coherence = state.coherences.collide(k, *state.bodies[first(k)].body, *state.bodies[second(k)].body);
      counters.memories_refused += !q.coherence;
    }
    questions.push_back(std::move(q));
  }
  return questions;
}

/// Turns answers into events.
class Changes {
 public:
  Changes(State& state, WorldCounters& counters) : state_(state), counters_(counters) {}

  void take(Question& q) {
    const auto known = state_.contacts.find(q.key);
    const bool was = known != state_.contacts.end();
    if (was) known->second = state_.frame;  // tested in this frame
    if (q.status == Status::contact) {
      if (!was) begin(q.key);
      Delivery d = state_.delivery(was ? EventKind::stays : EventKind::began, q.key);
      add_witness(d.event, q);
      out.push_back(std::move(d));
      ++counters_.contacts;
    } else if (q.status == Status::free) {
      if (was) end(q.key, q.certain);
    } else {
      state_.again.insert(q.key);
      undecided.push_back({state_.id(first(q.key)), state_.id(second(q.key)), was, std::move(q.error)});
    }
  }

  /// Ends the contacts of this body that were not tested: the boxes no longer overlap, or the pair is no longer of
  /// interest.
  void end_unasked(std::uint32_t slot) {
    for (const std::uint32_t other : state_.bodies[slot].touching.copy()) end_if_unasked(key_of(slot, other));
  }
  void end_if_unasked(PairKey key) {
    const auto known = state_.contacts.find(key);
    if (known != state_.contacts.end() && known->second != state_.frame) end(key, true);
  }

  std::vector<Delivery> out;
  std::vector<UndecidedPair> undecided;

 private:
  void begin(PairKey key) {
    state_.contacts.emplace(key, state_.frame);
    state_.bodies[first(key)].touching.insert(second(key));
    state_.bodies[second(key)].touching.insert(first(key));
  }
  void end(PairKey key, bool certain) {
    out.push_back(state_.delivery(EventKind::ended, key));
    out.back().event.certain = certain;
    state_.forget_contact(key);
  }
  static void add_witness(WorldEvent& event, Question& q) {
    event.gap = q.witness->gap;
    event.contact = q.witness->contact;
    event.contained = q.witness->contained;
    event.pair = q.witness->pair;
    event.features = std::move(q.witness->features);
    event.points = q.witness->points;
    event.normal = q.witness->normal;
    event.pieces = q.witness->pieces;
    event.all_pairs = std::move(q.witness->all_pairs);
    event.piece_contacts = std::move(q.witness->piece_contacts);
    event.manifold = std::move(q.witness->manifold);
    event.depth = std::move(q.witness->depth);
    event.certain = q.certain;
  }

  State& state_;
  WorldCounters& counters_;
};

/// Everything except the callbacks. Returns false if another thread stopped the check.
bool find_out(State& state, const CheckOptions& options, CheckResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  core::Limits destroyed, limits(options.cancel, options.budget);
  destroyed.stop = state.stop;
  result.events.clear();
  result.counters = {};
  core::clear(options.method_counters);
  place_moved(state, result.counters);
  result.counters += std::exchange(state.counted, {});
  const std::vector<std::uint32_t> front = take(state, state.to_check, &BodyRecord::to_check);
  result.frame = ++state.frame;
  std::vector<PairKey> again;
  std::vector<Question> questions = candidates(state, again, result.counters);
  {
    const core::LimitsScope outer(destroyed.limits_anything() ? &destroyed : nullptr);
    limits.outer = core::current_limits();
    const core::LimitsScope inner(limits.limits_anything() ? &limits : limits.outer);
    result.asked = ask(state, bounds_of(options), questions, result.counters, options.method_counters);
    add_details(state, options.details, questions);
  }
  const bool stopped = result.asked < questions.size() && destroyed.stopped();
  Changes changes(state, result.counters);
  for (Question& q : questions) changes.take(q);
  for (const std::uint32_t slot : front) changes.end_unasked(slot);
  for (const PairKey k : again) changes.end_if_unasked(k);
  for (Delivery& d : state.departed) {
    d.event.frame = state.frame;
    changes.out.push_back(std::move(d));
  }
  state.departed.clear();
  result.undecided = std::move(changes.undecided);
  std::sort(changes.out.begin(), changes.out.end(), [](const Delivery& x, const Delivery& y) {
    return std::tie(x.event.a, x.event.b) < std::tie(y.event.a, y.event.b);
  });
  for (Delivery& d : changes.out) {
    result.events.push_back(d.event);
    if (state.callback || d.callbacks[0] || d.callbacks[1] || d.callbacks[2]) state.pending.push_back(std::move(d));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return !stopped;
}

}  // namespace

}  // namespace world

void World::check(const CheckOptions& options, CheckResult& result) {
  world::State& state = *state_;
  const world::Asking asking(state);
  if (state.recorder) state.recorder->flush();
  // The last check of a world that is being destroyed has no receiver: no recorded line, no callback.
  if (!world::find_out(state, options, result)) return;
  // Record before the callbacks run, because their own calls come after it. A limit of time is recorded as the number
  // of pairs that it allowed.
  const bool limited = world::is_timed(options) || options.pairs;
  if (state.recorder)
    state.recorder->line("check", result.frame, limited ? std::optional(result.asked) : std::nullopt, options.work,
                         event_hash(result.events));
  world::deliver(state, options.callbacks);
}

CheckResult World::check(const CheckOptions& options) {
  CheckResult result;
  check(options, result);
  return result;
}

std::vector<std::pair<BodyId, BodyId>> World::touching() const {
  const world::Access access(*state_);
  std::vector<world::PairKey> keys;
  for (const auto& [key, asked] : state_->contacts) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  std::vector<std::pair<BodyId, BodyId>> out;
  for (const world::PairKey k : keys) out.emplace_back(state_->id(world::first(k)), state_->id(world::second(k)));
  return out;
}

}  // namespace graze
