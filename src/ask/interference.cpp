// SPDX-License-Identifier: MIT
#include <graze/ask/interference.hpp>

#include <array>
#include <string>

#include "ask/interference_methods.hpp"
#include "classic/kitamura/coherence.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"

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

ErrorDetail bad_option(std::string option, std::string message) {
  return {.code = ErrorCode::bad_option,
          .message = std::move(message),
          .element = "option " + std::move(option),
          .id = ErrorDetail::none,
          .file = {},
          .line = ErrorDetail::none};
}

bool outside(const std::optional<int>& level, int most) { return level && (*level < 0 || *level > most); }

std::optional<ErrorDetail> mistake(std::span<const InterferenceBody> bodies, const InterferenceOptions& options) {
  if (!find(options.method)) {
    return bad_option(
        "method", "there is no method \"" + std::string(options.method) + "\"; choose one of " + core::names_in(table));
  }
  if (options.threads < 1 || options.threads > 1024)
    return bad_option("threads", "the number of threads must be between 1 and 1024");
  if (outside(options.kitamura.level, 12) || outside(options.octree_update.level, 12))
    return bad_option("level", "a cell is cut 0 to 12 times");
  if (outside(options.octree_update.body_level, 8))
    return bad_option("body_level", "a body's own octree has 0 to 8 levels");
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
  if (auto error = mistake(bodies, options)) {
    result.status = Status::invalid_request;
    result.error = std::move(error);
    return;
  }
  const MethodEntry& method = *find(options.method);
  result.method = method.traits.name;
  classic::kitamura::StageClock clock, stage;
  const classic::kitamura::Scene scene(bodies, options.threads);
  stage.add_to(result.seconds.placing);
  method.run({scene, options}, result);
  result.status = result.pairs.empty() ? Status::free : Status::contact;
  clock.add_to(result.seconds.total);
}

InterferenceResult interference(std::span<const InterferenceBody> bodies, const InterferenceOptions& options) {
  InterferenceResult result;
  interference(bodies, options, result);
  return result;
}

}  // namespace graze
