// SPDX-License-Identifier: MIT
#include <graze/ask/interference.hpp>

#include <array>
#include <string>

#include <graze/classic/kitamura.hpp>

#include "ask/interference_methods.hpp"
#include "classic/kitamura/coherence.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"

namespace graze {

namespace {

using classic::kitamura::InterferenceQuery;

struct MethodEntry {
  InterferenceTraits traits;
  void (*run)(const InterferenceQuery&, InterferenceResult&);

  template <class T>
  static constexpr MethodEntry of() {
    return {T::traits, &T::run};
  }
};
constexpr auto table = core::table_of<MethodEntry>(ask::InterferenceMethods{});
constexpr auto all_traits = core::traits_of(ask::InterferenceMethods{});

const MethodEntry* find(std::string_view name) { return core::find_method(table, name); }

bool outside(const std::optional<int>& level, int most) { return level && (*level < 0 || *level > most); }

std::optional<ErrorDetail> mistake(std::span<const InterferenceBody> bodies, const InterferenceOptions& options) {
  if (!find(options.method)) return core::no_such_method(options.method, core::names_in(table));
  if (auto problem = core::bad_threads(options.threads)) return problem;
  const auto& [octree, octree_update] = options.kitamura.value();
  if (outside(octree.level, 12) || outside(octree_update.level, 12))
    return core::bad_option("level", "a cell is cut 0 to 12 times");
  if (outside(octree_update.body_level, 8))
    return core::bad_option("body_level", "a body's own octree has 0 to 8 levels");
  return classic::kitamura::Scene::mistake(bodies);
}

void clear(InterferenceResult& result) {
  std::vector<InterferingPair> pairs = std::move(result.pairs);
  pairs.clear();
  result = InterferenceResult{};
  result.pairs = std::move(pairs);
}

}  // namespace

std::span<const InterferenceTraits> interference_methods() { return all_traits; }

InterferenceCoherence::InterferenceCoherence() : state_(std::make_unique<State>()) {}
InterferenceCoherence::~InterferenceCoherence() = default;
InterferenceCoherence::InterferenceCoherence(InterferenceCoherence&&) noexcept = default;
InterferenceCoherence& InterferenceCoherence::operator=(InterferenceCoherence&&) noexcept = default;
std::size_t InterferenceCoherence::bytes() const {
  std::size_t sum = 0;
  for (const State::Kept& kept : state_->kept) {
    if (kept.tree) sum += kept.tree->nodes.size() * sizeof(bvh::Node) + kept.tree->items.size() * sizeof(std::uint32_t);
    if (kept.octree) sum += kept.octree->bytes();
  }
  return sum;
}

void interference(std::span<const InterferenceBody> bodies, const InterferenceOptions& options,
                  InterferenceResult& result) {
  const core::FpGuard guard;
  clear(result);
  core::clear(options.method_counters);
  if (core::refused(result, mistake(bodies, options))) return;
  const MethodEntry& method = *find(options.method);
  result.method = method.traits.name;
  classic::kitamura::StageClock clock, stage;
  InterferenceOptions asked = options;
  if (options.work > 0) asked.threads = 1;  // work is counted by one thread
  core::Limits limits(options);
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    const classic::kitamura::Scene scene(bodies, asked.threads);
    stage.add_to(result.seconds.placing);
    method.run({scene, asked}, result);
    result.status = result.pairs.empty() ? Status::free : Status::contact;
  });
  if (!ended) {
    result.status = Status::undecided;
    result.pairs.clear();
    if (options.coherence) *options.coherence = InterferenceCoherence();  // its structures may be half updated
  }
  clock.add_to(result.seconds.total);
  core::leave_if_outer_ended(limits);
}

InterferenceResult interference(std::span<const InterferenceBody> bodies, const InterferenceOptions& options) {
  InterferenceResult result;
  interference(bodies, options, result);
  return result;
}

}  // namespace graze
