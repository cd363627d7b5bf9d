// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "core/parallel.hpp"
#include "world/state.hpp"

namespace graze::world {

namespace {

bool is_certain(const CollideResult& r) {
  for (const MethodTraits& t : collide_methods())
    if (t.name == r.method) return r.status == Status::contact ? t.contact_certain : t.free_certain;
  return true;
}

/// One pair, by as many threads.
void ask_one(const State& state, Question& q, int threads, CollideResult& scratch) {
  const BodyRecord &a = state.bodies[first(q.key)], &b = state.bodies[second(q.key)];
  CollideOptions options;
  options.method = q.method;
  options.threads = threads;
  options.solid = state.options.solid;
  options.coherence = q.coherence;
  collide(*a.body, a.pose, *b.body, b.pose, options, scratch);
  q.asked = true;
  q.status = scratch.status;
  q.error = std::move(scratch.error);
  q.certain = is_certain(scratch);
  if (scratch.status != Status::contact) return;
  q.witness = std::make_unique<WorldEvent>();
  WorldEvent& w = *q.witness;
  w.contact = scratch.kind;
  w.contained = scratch.contained;
  if (!scratch.pairs.empty()) w.pair = scratch.pairs[0];
  w.features = scratch.features;
  w.points = scratch.points;
  w.normal = scratch.normal;
}

void forget_answer(Question& q) {
  q.asked = false;
  q.status = Status::undecided;
  q.error.reset();
  q.witness.reset();
}

/// What a `work` budget counts: one for the pair, and every elementary test.
std::uint64_t work_of(const Counters& c) {
  return 1 + c.box_tests + c.triangle_tests + c.edge_polygon_tests + c.plane_passes + c.sampled_points;
}

/// How deep two boxes overlap along the axis where they do so least, as a share of the smaller one there: pairs that
/// overlap deeper come first (adaptive: Zachmann 1.2.2).
double depth(const Box3& a, const Box3& b) {
  double least = 1;
  for (int k = 0; k < 3; ++k) {
    const double overlap = std::min(a.hi[k], b.hi[k]) - std::max(a.lo[k], b.lo[k]);
    const double extent = std::min(a.hi[k] - a.lo[k], b.hi[k] - b.lo[k]);
    if (extent > 0) least = std::min(least, overlap / extent);
  }
  return least;
}

/// Asks in order. What is left undecided under a budget is always the end of the list, so that the number of pairs
/// asked says all about it; the answers do not depend on the number of threads.
class Asker {
 public:
  Asker(const State& state, const Budget& budget, std::vector<Question>& questions, WorldCounters& counters)
      : state_(state), budget_(budget), questions_(questions), counters_(counters) {}

  std::uint64_t run() {
    const std::size_t limit = std::min<std::size_t>(questions_.size(), budget_.pairs);
    // Many pairs: each by one thread (Zachmann 6.2). Fewer pairs than threads: each by all (6.3).
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

  void batch(std::size_t begin, std::size_t end, int threads_each) {
    std::vector<Counters> counted(budget_.work ? end - begin : (end - begin + chunk - 1) / chunk);
    core::parallel_for((end - begin + chunk - 1) / chunk, state_.options.threads, [&](std::size_t c) {
      CollideResult scratch;
      for (std::size_t i = begin + c * chunk; i < std::min(end, begin + (c + 1) * chunk); ++i) {
        if (budget_.over()) return;
        ask_one(state_, questions_[i], threads_each, scratch);
        counted[budget_.work ? i - begin : c] += scratch.counters;
      }
    });
    for (std::size_t i = begin; i < end; ++i) {
      Question& q = questions_[i];
      if (!q.asked) open_ = false;  // time ran out: what comes behind does not count
      if (budget_.work && spent_ >= budget_.work) open_ = false;
      if (!open_) {
        forget_answer(q);
        continue;
      }
      ++asked_;
      if (budget_.work) {
        spent_ += work_of(counted[i - begin]);
        counters_.methods += counted[i - begin];
      }
    }
    if (!budget_.work)
      for (const Counters& c : counted) counters_.methods += c;
  }

  const State& state_;
  const Budget& budget_;
  std::vector<Question>& questions_;
  WorldCounters& counters_;
  bool open_ = true;
  std::uint64_t spent_ = 0, asked_ = 0;
};

}  // namespace

std::uint64_t ask(State& state, const Budget& budget, std::vector<Question>& questions, WorldCounters& counters) {
  if (budget.limited()) {
    for (Question& q : questions) q.depth = depth(state.broad.box(first(q.key)), state.broad.box(second(q.key)));
    std::sort(questions.begin(), questions.end(), [](const Question& x, const Question& y) {
      return x.depth != y.depth ? x.depth > y.depth : x.key < y.key;
    });
  }
  const std::uint64_t asked = Asker(state, budget, questions, counters).run();
  counters.asked += asked;
  return asked;
}

}  // namespace graze::world
