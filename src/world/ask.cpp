// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include <graze/ask/distance.hpp>

#include "core/counter_sum.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "engine/collide/limits.hpp"
#include "world/state.hpp"

namespace graze::world {

namespace {

bool is_certain(const CollideResult& r) {
  for (const MethodTraits& t : collide_methods())
    if (t.name == r.method) return r.status == Status::contact ? t.contact_certain : t.free_certain;
  return true;
}

/// A result that is used again and again, and all that a test counted.
struct CountedResult : CollideResult {
  MethodCounters of_method;
  AllCounters work() const { return {counters, of_method}; }
};

/// Two bodies that are apart: are they within their margins? As `ask_one`, but a limit is thrown. All of it together
/// has one budget: what `collide` left of it, and then what `within` leaves.
bool look_at_margin(const State& state, Question& q, int threads, core::Limits& limits, CountedResult& scratch) {
  const BodyRecord &a = state.bodies[first(q.key)], &b = state.bodies[second(q.key)];
  const auto left = [&] {  // 0: no limit
    const std::uint64_t done = engine::collide::work_of(scratch.work());
    if (limits.work > 0 && done >= limits.work) throw core::Stopped();
    return limits.work > 0 ? limits.work - done : 0;
  };
  WithinOptions options;
  options.threads = threads;
  options.work = left();
  const WithinResult near = within(q.margin, *a.body, a.pose, *b.body, b.pose, options);
  scratch.counters += near.counters;
  q.asked = near.status != Status::undecided;
  q.status = near.status;
  q.error = near.error;
  q.certain = q.certain && near.certain;
  if (near.status != Status::contact) return q.asked;
  DistanceOptions how_far;
  how_far.threads = threads;
  how_far.work = left();
  const DistanceResult apart = distance(*a.body, a.pose, *b.body, b.pose, how_far);
  scratch.counters += apart.counters;
  if (apart.status == Status::undecided) throw core::Stopped();
  q.witness = std::make_unique<WorldEvent>();
  WorldEvent& w = *q.witness;
  w.gap = apart.distance;
  if (a.body->has_mesh() && b.body->has_mesh()) w.pair = apart.pair;
  if (apart.feature) w.features = {*apart.feature};
  w.points = apart.points;
  w.normal = apart.normal;
  w.pieces = apart.pieces;
  return true;
}

/// As `ask_one`.
bool ask_margin(const State& state, Question& q, int threads, core::Limits& limits, CountedResult& scratch) {
  try {
    return look_at_margin(state, q, threads, limits, scratch);
  } catch (const core::Stopped&) {
    q.asked = false;
    q.status = Status::undecided;
    return false;
  }
}

/// Tests one pair with the given number of threads. Returns false if the limits stopped the test early.
bool ask_one(const State& state, Question& q, int threads, core::Limits& limits, CountedResult& scratch) {
  const BodyRecord &a = state.bodies[first(q.key)], &b = state.bodies[second(q.key)];
  CollideOptions options;
  options.method = q.method;
  options.threads = threads;
  options.solid = state.options.solid;
  options.coherence = q.coherence;
  options.method_counters = &scratch.of_method;
  engine::collide::collide_within(*a.body, a.pose, *b.body, b.pose, options, limits, scratch);
  q.begun = true;
  if (limits.cut()) return false;
  q.asked = true;
  q.status = scratch.status;
  q.error = std::move(scratch.error);
  q.certain = scratch.certain && is_certain(scratch);
  if (scratch.status == Status::free && q.margin > 0) return ask_margin(state, q, threads, limits, scratch);
  if (scratch.status != Status::contact) return true;
  q.witness = std::make_unique<WorldEvent>();
  WorldEvent& w = *q.witness;
  w.contact = scratch.kind;
  w.contained = scratch.contained;
  if (!scratch.pairs.empty()) w.pair = scratch.pairs[0];
  w.features = scratch.features;
  w.points = scratch.points;
  w.normal = scratch.normal;
  w.pieces = scratch.pieces;
  return true;
}

void forget_answer(Question& q) {
  q.asked = false;
  q.status = Status::undecided;
  q.error.reset();
  q.witness.reset();
}

/// The cost that a `work` budget counts: one for the pair, plus one for every elementary test.
std::uint64_t cost_of(const AllCounters& c) { return 1 + engine::collide::work_of(c); }

/// Overlap of two boxes along the axis where it is smallest, relative to the smaller box along that axis. Pairs with a
/// larger overlap are tested first (adaptive: Zachmann 1.2.2).
double depth(const Box3& a, const Box3& b) {
  double least = 1;
  for (int k = 0; k < 3; ++k) {
    const double overlap = std::min(a.hi[k], b.hi[k]) - std::max(a.lo[k], b.lo[k]);
    const double extent = std::min(a.hi[k] - a.lo[k], b.hi[k] - b.lo[k]);
    if (extent > 0) least = std::min(least, overlap / extent);
  }
  return least;
}

/// Tests the pairs in list order. Pairs left undecided under a budget are always a suffix of the list, so the number of
/// tested pairs describes them completely. The answers do not depend on the number of threads.
class Asker {
 public:
  Asker(const State& state, const CheckBounds& bounds, std::vector<Question>& questions, WorldCounters& counters,
        MethodCounters* requested)
      : state_(state), budget_(bounds), questions_(questions), counters_(counters), requested_(requested) {}

  std::uint64_t run() {
    const std::size_t limit = std::min<std::size_t>(questions_.size(), budget_.pairs);
    // Many pairs: one thread per pair (Zachmann 6.2). Fewer pairs than threads: all threads work on each pair (6.3).
    const auto threads = static_cast<std::size_t>(state_.options.threads);
    const std::size_t step = budget_.work ? (threads == 1 ? 1 : speculation) : limit;
    if (limit < threads)
      for (std::size_t i = 0; i < limit && open_; ++i) batch(i, i + 1, state_.options.threads);
    else
      for (std::size_t i = 0; i < limit && open_; i += step) batch(i, std::min(limit, i + step), 1);
    return asked_;
  }

 private:
  static constexpr std::size_t chunk = 8, speculation = 64;

  /// Tests a pair within the remaining budget, which must not be used up yet.
  bool ask_within(Question& q, int threads, std::uint64_t work_left, CountedResult& scratch) const {
    core::Limits limits;
    limits.work = budget_.work ? work_left : 0;
    return ask_one(state_, q, threads, limits, scratch);
  }
  std::uint64_t work_left() const { return budget_.work - std::min(budget_.work, spent_); }

  void batch(std::size_t begin, std::size_t end, int threads_each) {
    if (budget_.work && work_left() == 0) {
      open_ = false;
      return;
    }
    batch_left_ = work_left();
    std::vector<AllCounters> counted(budget_.work ? end - begin : (end - begin + chunk - 1) / chunk);
    core::parallel_for((end - begin + chunk - 1) / chunk, state_.options.threads, [&](std::size_t c) {
      CountedResult scratch;
      for (std::size_t i = begin + c * chunk; i < std::min(end, begin + (c + 1) * chunk); ++i) {
        if (core::stop_requested()) return;
        const bool answered = ask_within(questions_[i], threads_each, batch_left_, scratch);
        counted[budget_.work ? i - begin : c] += scratch.work();
        if (!answered && !budget_.work) return;
      }
    });
    for (std::size_t i = begin; i < end; ++i) settle(questions_[i], budget_.work ? &counted[i - begin] : nullptr);
    if (!budget_.work)
      for (const AllCounters& c : counted) count(c);
  }

  void count(const AllCounters& work) { core::report(work, counters_.methods, requested_); }

  /// Called in list order: decides whether an answer counts. Under a work budget, a pair is tested with the work that
  /// was left before its batch. If the test cost no more than what is left before the pair itself, the answer is the
  /// same as with that smaller limit, because the test never exceeded it. Otherwise, and where margins ask further
  /// questions, whose steps are not those that this budget counts, the pair is tested once more with exactly that
  /// limit.
  void settle(Question& q, AllCounters* counted) {
    if (open_ && counted) {
      const std::uint64_t left = work_left();
      if (left > 0 && batch_left_ != left && (cost_of(*counted) > left || q.margin > 0)) {
        forget_answer(q);
        CountedResult scratch;
        ask_within(q, 1, left, scratch);
        *counted = scratch.work();
      }
      open_ = left > 0;
      if (open_) {
        spent_ += cost_of(*counted);
        count(*counted);
      }
    }
    if (open_ && !q.asked && q.begun) ++counters_.cut_short;
    if (!q.asked) open_ = false;  // later pairs do not count
    if (open_)
      ++asked_;
    else
      forget_answer(q);
  }

  const State& state_;
  const CheckBounds& budget_;
  std::vector<Question>& questions_;
  WorldCounters& counters_;
  MethodCounters* requested_;
  bool open_ = true;
  std::uint64_t spent_ = 0, asked_ = 0;
  std::uint64_t batch_left_ = 0;  ///< work left before this batch
};

}  // namespace

std::uint64_t ask(State& state, const CheckBounds& bounds, std::vector<Question>& questions, WorldCounters& counters,
                  MethodCounters* requested) {
  if (bounds.for_caller) {
    for (Question& q : questions) {
      // Pairs after the last one that counts may have been started. Coherence data that they left would depend on
      // threads and timing, and so would the answers of a one-sided method that uses it.
      q.coherence = nullptr;
      q.depth = depth(state.broad.box(first(q.key)), state.broad.box(second(q.key)));
    }
    std::sort(questions.begin(), questions.end(), [](const Question& x, const Question& y) {
      return x.depth != y.depth ? x.depth > y.depth : x.key < y.key;
    });
  }
  const std::uint64_t asked = Asker(state, bounds, questions, counters, requested).run();
  counters.asked += asked;
  return asked;
}

}  // namespace graze::world
