// SPDX-License-Identifier: MIT
#include "ask/shared/many_bodies.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <tuple>

#include "ask/shared/first_contact_options.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/contains/solid.hpp"
#include "engine/first_contact/many/batches.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace ask {

namespace {

using math::infinity;

using engine::first_contact::touches;

/// Collects answers. The final result does not depend on their order.
class Gathering {
 public:
  explicit Gathering(FirstContactsResult& result) : result_(result) {}

  void take(std::uint32_t a, std::uint32_t b, FirstContactResult& r) {
    ++result_.asked;
    result_.counters += r.counters;
    if (r.status == Status::invalid_request && !result_.error) {
      result_.error = r.error;
      if (result_.error)
        result_.error->message += " (asked for bodies " + std::to_string(a) + " and " + std::to_string(b) + ")";
    }
    if (r.status == Status::undecided) leave_open(r.time.safe);
    if (!touches(r)) return;
    safe_ = std::min(safe_, r.time.safe);
    if (can_win(r.time.touch, a, b)) result_.earliest = PairContact{a, b, r};
  }

  /// A pair that was not decided; nothing is known of it from time t on.
  void leave_open(double t) { undecided_ = std::min(undecided_, t); }

  /// Can a pair that touches at time t, or not before it, precede the earliest contact found so far?
  bool can_win(double t, std::uint32_t a, std::uint32_t b) const {
    return !result_.earliest || std::tuple(t, a, b) < std::tuple(limit(), result_.earliest->a, result_.earliest->b);
  }

  void finish() {
    result_.safe = std::min({1.0, safe_, undecided_});
    if (result_.error)
      result_.status = Status::invalid_request;
    else if (undecided_ < limit())
      result_.status = Status::undecided;
    else
      result_.status = result_.earliest ? result_.earliest->contact.status : Status::free;
  }

 private:
  double limit() const { return result_.earliest ? result_.earliest->contact.time.touch : infinity; }

  FirstContactsResult& result_;
  double safe_ = infinity, undecided_ = infinity;
};

}  // namespace

bool refuses(const FirstContactsOptions& o, FirstContactsResult& result) {
  if (o.slices < 1 || o.slices > 1024)
    core::refuse(result, core::bad_option("slices", "the number of time slices must be between 1 and 1024"));
  else
    return core::refused(result, core::bad_threads(o.threads));
  return true;
}

bool refuses_open(const FirstContactsOptions& options, const Body& body, std::size_t number,
                  FirstContactsResult& result) {
  if (!options.pair.solid) return false;
  result.error = engine::contains::not_solid(body.data(), "");
  if (!result.error) return false;
  result.error->element = "body";
  result.error->id = number;
  result.status = Status::invalid_request;
  return true;
}

bool of_interest(const FirstContactsOptions& options, std::size_t a, std::size_t b) {
  if (!options.interest) return true;
  const core::FpGuard guard;  // restores the floating-point environment after the callback
  const core::LimitsScope its_own(nullptr);
  return options.interest(a, b);
}

void ask_pairs(std::vector<PairQuestion> questions, const FirstContactsOptions& options, FirstContactsResult& result) {
  result.near = questions.size();
  // All pairs: in the order of the result. Earliest only: in ascending order of possible contact time.
  std::sort(questions.begin(), questions.end(), [&](const PairQuestion& x, const PairQuestion& y) {
    const double tx = options.all_pairs ? 0 : x.not_before, ty = options.all_pairs ? 0 : y.not_before;
    return std::tie(tx, x.a, x.b) < std::tie(ty, y.a, y.b);
  });
  FirstContactOptions pair = options.pair;
  pair.threads = 1;
  pair.coherence = nullptr;
  MethodCounters* const requested = options.pair.method_counters;
  Gathering gathering(result);
  const auto needed = [&](std::size_t first) {
    const PairQuestion& next = questions[first];
    if (!options.all_pairs && !gathering.can_win(next.not_before, next.a, next.b))
      return false;  // and no later pair can
    if (!core::stop_requested()) return true;
    for (std::size_t i = first; i < questions.size(); ++i) gathering.leave_open(questions[i].not_before);
    return false;
  };
  engine::first_contact::ask_in_batches(
      questions.size(), options.all_pairs, needed, [&](std::size_t first, std::size_t size) {
        std::vector<FirstContactResult> answers(size);
        std::vector<MethodCounters> counted(requested ? size : 0);
        core::parallel_for(size, options.threads, [&](std::size_t i) {
          const PairQuestion& q = questions[first + i];
          FirstContactOptions asked = pair;
          asked.method_counters = requested ? &counted[i] : nullptr;
          first_contact_inside(*q.body_a, q.motion_a, *q.body_b, q.motion_b, asked, answers[i]);
        });
        for (const MethodCounters& c : counted) *requested += c;
        for (std::size_t i = 0; i < size; ++i) {
          gathering.take(questions[first + i].a, questions[first + i].b, answers[i]);
          if (options.all_pairs)
            result.pairs.push_back({questions[first + i].a, questions[first + i].b, std::move(answers[i])});
        }
      });
  gathering.finish();
}

namespace {

/// A pair and the first time slice in which its boxes overlap.
struct NearBodies {
  engine::first_contact::IndexPair pair;
  int slice;
};

/// Not by a `BroadPhase`, as the sweeps of a world: nothing is kept between calls, and each slice of time has boxes of
/// its own.
std::vector<NearBodies> near_bodies(std::span<const MovingBody> bodies, std::span<const double> margins,
                                    const FirstContactsOptions& options, Counters& counters) {
  std::vector<NearBodies> near;
  std::vector<Box3> boxes(bodies.size());
  std::vector<engine::first_contact::IndexPair> pairs;
  for (int slice = 0; slice < options.slices; ++slice) {
    const double t0 = static_cast<double>(slice) / options.slices, t1 = static_cast<double>(slice + 1) / options.slices;
    core::parallel_for(bodies.size(), options.threads, [&](std::size_t i) {
      core::poll_once();
      boxes[i] = engine::first_contact::swept_box(bodies[i].body, bodies[i].motion, t0, t1, margins[i]);
    });
    pairs.clear();
    sweep_and_prune(boxes, counters, pairs);
    for (const engine::first_contact::IndexPair& p : pairs) near.push_back({p, slice});
    // Keep each pair once, with its first slice. Done after every slice, so that the list stays as short as the answer.
    std::sort(near.begin(), near.end(), [](const NearBodies& x, const NearBodies& y) {
      return std::tie(x.pair, x.slice) < std::tie(y.pair, y.slice);
    });
    near.erase(std::unique(near.begin(), near.end(),
                           [](const NearBodies& x, const NearBodies& y) { return x.pair == y.pair; }),
               near.end());
  }
  return near;
}

std::vector<PairQuestion> near_questions(std::span<const MovingBody> bodies, const FirstContactsOptions& options,
                                         Counters& counters) {
  std::vector<double> margins;
  for (const MovingBody& m : bodies)
    margins.push_back(engine::first_contact::margin_of(m.body, options.pair.tolerance.value_or(0)) +
                      options.pair.min_separation);
  std::vector<NearBodies> near = near_bodies(bodies, margins, options, counters);
  std::erase_if(near, [&](const NearBodies& n) { return !of_interest(options, n.pair.a, n.pair.b); });
  std::vector<PairQuestion> questions;
  for (const NearBodies& n : near) {
    const MovingBody &a = bodies[n.pair.a], &b = bodies[n.pair.b];
    const double start = static_cast<double>(n.slice) / options.slices;
    questions.push_back({n.pair.a, n.pair.b, &a.body, &b.body, a.motion, b.motion, start});
  }
  // The order matters only for the earliest contact: when, within its first slice, can a pair first touch? With
  // `all_pairs` every pair is tested anyway.
  if (options.all_pairs) return questions;
  std::vector<Counters> counted(questions.size());
  core::parallel_for(questions.size(), options.threads, [&](std::size_t i) {
    core::poll_once();
    PairQuestion& q = questions[i];
    const double end = static_cast<double>(near[i].slice + 1) / options.slices;
    q.not_before =
        std::min(end, engine::first_contact::boxes_meet(*q.body_a, q.motion_a, margins[q.a], *q.body_b, q.motion_b,
                                                        margins[q.b], q.not_before, end, 3, counted[i]));
  });
  for (const Counters& c : counted) counters += c;
  return questions;
}

}  // namespace

}  // namespace ask

void ask::within_limits(const FirstContactsOptions& options, FirstContactsResult& result,
                        const std::function<void()>& run) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  core::Limits limits(options.cancel, options.budget);
  if (!core::run_within(limits, [&](core::Limits*) { run(); }) && result.status != Status::invalid_request)
    result.status = Status::undecided;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
}

void first_contacts(std::span<const MovingBody> bodies, const FirstContactsOptions& options,
                    FirstContactsResult& result) {
  result = FirstContactsResult{};
  core::clear(options.pair.method_counters);
  bool refused = ask::refuses(options, result);
  for (std::size_t i = 0; i < bodies.size() && !refused; ++i)
    refused = ask::refuses_open(options, bodies[i].body, i, result);
  if (refused) return;
  ask::within_limits(options, result,
                     [&] { ask::ask_pairs(ask::near_questions(bodies, options, result.counters), options, result); });
}

FirstContactsResult first_contacts(std::span<const MovingBody> bodies, const FirstContactsOptions& options) {
  FirstContactsResult result;
  first_contacts(bodies, options, result);
  return result;
}

}  // namespace graze
