// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/parallel.hpp"
#include "world/state.hpp"

namespace graze::world {

namespace {

bool is_certain(const CollideResult& r) {
  for (const MethodTraits& t : collide_methods())
    if (t.name == r.method) return r.status == Status::contact ? t.contact_certain : t.free_certain;
  return true;
}

void ask_one(const State& state, Question& q, int threads, CollideResult& scratch) {
  const BodyRecord &a = state.bodies[first(q.key)], &b = state.bodies[second(q.key)];
  CollideOptions options;
  options.method = q.method;
  options.threads = threads;
  options.solid = state.options.solid;
  collide(*a.body, a.pose, *b.body, b.pose, options, scratch);
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

}  // namespace

void ask(State& state, std::vector<Question>& questions, WorldCounters& counters) {
  // Many pairs: each by one thread (Zachmann 6.2). Fewer pairs than threads: each by all (6.3).
  const auto threads = static_cast<std::size_t>(state.options.threads);
  const bool few = questions.size() < threads;
  constexpr std::size_t chunk = 8;
  const std::size_t size = few ? 1 : chunk, chunks = (questions.size() + size - 1) / size;
  std::vector<Counters> counted(chunks);
  core::parallel_for(chunks, few ? 1 : state.options.threads, [&](std::size_t c) {
    CollideResult scratch;
    for (std::size_t i = c * size; i < std::min(questions.size(), (c + 1) * size); ++i) {
      ask_one(state, questions[i], few ? state.options.threads : 1, scratch);
      counted[c] += scratch.counters;
    }
  });
  for (const Counters& c : counted) counters.methods += c;
  counters.asked += questions.size();
}

}  // namespace graze::world
