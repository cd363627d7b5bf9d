// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <tuple>

#include "ask/shared/first_contact_options.hpp"
#include "core/fp_guard.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/contains/solid.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "math/vectors.hpp"
#include "world/filter.hpp"
#include "world/placed_box.hpp"
#include "world/record/hash.hpp"
#include "world/record/recorder.hpp"

namespace graze {

namespace world {

namespace {

struct CastQuestion {
  std::uint32_t slot;
  double not_before;  ///< certified free of contact before this time
  Motion still = {};
  FirstContactResult answer = {};
};

class Caster {
 public:
  Caster(const State& state, const Body& body, const Motion& motion, const CastOptions& options, CastResult& result)
      : state_(state),
        body_(body),
        motion_(motion),
        options_(options),
        result_(result),
        // Not below the tolerance of any pair: without one of the caller's it is 1e-6 of the smaller diagonal.
        margin_(engine::first_contact::margin_of(body, options.tolerance.value_or(0)) + options.min_separation) {}

  void run() {
    std::vector<CastQuestion> questions = near_bodies();
    refine(questions);
    ask(questions);
    gather(questions);
  }

 private:
  static constexpr int slices = 8;

  /// The bodies whose boxes the swept box meets, in ascending order of the time slice in which it first does. Nothing
  /// else can be within the margin: the swept box of a slice holds the body at all its times.
  std::vector<CastQuestion> near_bodies() {
    std::vector<CastQuestion> questions;
    std::vector<std::uint32_t> slots;
    for (int i = 0; i < slices; ++i) {
      const double t0 = static_cast<double>(i) / slices, t1 = static_cast<double>(i + 1) / slices;
      const Box3 swept = engine::first_contact::swept_box(body_, motion_, t0, t1, 0);
      state_.broad.overlapping(widened(swept, margin_), slots);
      for (const std::uint32_t slot : slots)
        if (admits(state_, options_.bodies, slot)) questions.push_back({slot, t0});
    }
    std::sort(questions.begin(), questions.end(), [](const CastQuestion& x, const CastQuestion& y) {
      return std::tie(x.slot, x.not_before) < std::tie(y.slot, y.not_before);
    });
    const auto same = [](const CastQuestion& x, const CastQuestion& y) { return x.slot == y.slot; };
    questions.erase(std::unique(questions.begin(), questions.end(), same), questions.end());
    result_.counters.near_pairs += questions.size();
    return questions;
  }

  /// Smaller slices, with the body's own box instead of that of the broad phase.
  void refine(std::vector<CastQuestion>& questions) {
    std::vector<Counters> counted(questions.size());
    core::parallel_for(questions.size(), state_.options.threads, [&](std::size_t i) {
      CastQuestion& q = questions[i];
      const BodyRecord& r = state_.bodies[q.slot];
      q.still = Still{r.pose};
      q.not_before = engine::first_contact::boxes_meet(body_, motion_, margin_, *r.body, q.still, 0, q.not_before, 1, 3,
                                                       counted[i]);
    });
    for (const Counters& c : counted) result_.counters.methods += c;
    std::erase_if(questions, [](const CastQuestion& q) { return !(q.not_before <= 1); });
  }

  FirstContactOptions pair_options() const {
    FirstContactOptions o;
    o.method = options_.method;
    o.tolerance = options_.tolerance;
    o.min_separation = options_.min_separation;
    o.ignore_start_if_separating = options_.ignore_start_if_separating;
    o.solid = state_.options.solid;
    o.work = options_.work;
    return o;
  }

  void ask_one(CastQuestion& q) const {
    if (core::stop_requested()) {
      q.answer.time = {q.not_before, math::not_a_number};
      q.answer.gap = math::not_a_number;
      return;
    }
    ask::first_contact_inside(body_, motion_, *state_.bodies[q.slot].body, q.still, pair_options(), q.answer);
  }

  static bool met(const FirstContactResult& r) {
    return r.status == Status::contact || r.status == Status::touching_at_start;
  }

  /// In ascending order of the time at which a contact is possible, until no other can be earlier. Batch sizes do not
  /// depend on the number of threads, so neither does the set of bodies that are tested.
  void ask(std::vector<CastQuestion>& questions) {
    std::sort(questions.begin(), questions.end(), [](const CastQuestion& x, const CastQuestion& y) {
      return std::tie(x.not_before, x.slot) < std::tie(y.not_before, y.slot);
    });
    std::size_t size = options_.all ? questions.size() : 4, asked = 0;
    double best = math::infinity;
    while (asked < questions.size() && (options_.all || questions[asked].not_before <= best)) {
      size = std::min(size, questions.size() - asked);
      core::parallel_for(size, state_.options.threads, [&](std::size_t i) { ask_one(questions[asked + i]); });
      for (std::size_t i = asked; i < asked + size; ++i)
        if (met(questions[i].answer)) best = std::min(best, questions[i].answer.time.touch);
      asked += size;
      size = std::min<std::size_t>(2 * size, 256);
    }
    result_.counters.asked += asked;
    questions.resize(asked);
  }

  void gather(std::vector<CastQuestion>& questions) {
    std::sort(questions.begin(), questions.end(),
              [](const CastQuestion& x, const CastQuestion& y) { return x.slot < y.slot; });
    double undecided = math::infinity, best = math::infinity;
    result_.safe = 1;
    for (CastQuestion& q : questions) {
      const FirstContactResult& r = q.answer;
      result_.counters.methods += r.counters;
      if (r.status == Status::invalid_request && !result_.error) result_.error = r.error;
      if (r.status == Status::undecided) undecided = std::min(undecided, r.time.safe);
      if (met(r)) {
        ++result_.counters.contacts;
        result_.safe = std::min(result_.safe, r.time.safe);
        if (r.time.touch < best) {
          best = r.time.touch;
          result_.earliest = CastContact{state_.id(q.slot), r};
        }
      }
      if (options_.all && r.status != Status::free)
        result_.contacts.push_back({state_.id(q.slot), std::move(q.answer)});
    }
    result_.safe = std::min(result_.safe, undecided);
    result_.status = result_.error      ? Status::invalid_request
                     : undecided < best ? Status::undecided
                     : result_.earliest ? result_.earliest->contact.status
                                        : Status::free;
  }

  const State& state_;
  const Body& body_;
  const Motion& motion_;
  const CastOptions& options_;
  CastResult& result_;
  double margin_;
};

std::optional<ErrorDetail> mistake_in(const State& state, const Body& body, const CastOptions& options) {
  FirstContactOptions o;
  o.method = options.method;
  o.tolerance = options.tolerance;
  o.min_separation = options.min_separation;
  o.ignore_start_if_separating = options.ignore_start_if_separating;
  if (auto problem = ask::mistake_in(o)) return problem;
  if (state.options.solid) return engine::contains::not_solid(body.data(), "that is cast");
  return std::nullopt;
}

}  // namespace

}  // namespace world

void World::cast(const Body& body, const Motion& motion, const CastOptions& options, CastResult& result) try {
  result = CastResult{};
  world::State& state = *state_;
  const world::Asking asking(state);
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  world::check_filter(state, options.bodies);
  if (core::refused(result, world::mistake_in(state, body, options))) return;
  if (state.recorder) state.recorder->flush();
  world::place_moved(state, result.counters);
  const bool decided = world::ask_within_limits(
      state, options, [&](core::Limits*) { world::Caster(state, body, motion, options, result).run(); });
  if (!decided && result.status != Status::invalid_request) result.status = Status::undecided;
  if (state.recorder && decided && !result.error && world::Recorder::knows(motion) && world::Recorder::knows(body))
    state.recorder->line("cast", body, motion, options.bodies, options.all, options.method, options.tolerance,
                         options.min_separation, options.ignore_start_if_separating, options.work,
                         world::answer_hash(result));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
} catch (const Error& error) {  // a pose beyond all doubles; asked from a callback of this world
  result = CastResult{};
  core::refuse(result, error.detail());
}

CastResult World::cast(const Body& body, const Motion& motion, const CastOptions& options) {
  CastResult result;
  cast(body, motion, options, result);
  return result;
}

}  // namespace graze
