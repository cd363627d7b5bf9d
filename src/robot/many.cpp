// SPDX-License-Identifier: MIT
#include <graze/robot/many.hpp>

#include <string>
#include <vector>

#include "ask/shared/batch.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"

namespace graze {

struct RobotManyMemory::State {
  std::vector<RobotMemory> memories;
};

RobotManyMemory::RobotManyMemory() : state_(std::make_unique<State>()) {}
RobotManyMemory::~RobotManyMemory() = default;
RobotManyMemory::RobotManyMemory(RobotManyMemory&&) noexcept = default;
RobotManyMemory& RobotManyMemory::operator=(RobotManyMemory&&) noexcept = default;

std::span<RobotMemory> RobotManyMemory::memories(int threads) {
  std::vector<RobotMemory>& all = state_->memories;
  while (all.size() < static_cast<std::size_t>(threads)) all.emplace_back();
  return all;
}

namespace {

std::optional<ErrorDetail> wrong_states(const char* element, std::span<const double> states, std::size_t coordinates,
                                        std::size_t entries, bool one_is_enough) {
  if (states.size() == entries * coordinates || (one_is_enough && states.size() == coordinates)) return std::nullopt;
  return core::problem(ErrorCode::bad_option, element,
                       "there are " + std::to_string(states.size()) + " numbers; " + std::to_string(entries) +
                           " results need as many states of " + std::to_string(coordinates) + " coordinates" +
                           (one_is_enough ? ", or one state for all" : ""));
}

/// `ask(entry, options, result)` answers one entry.
template <class Options, class Result, class Ask>
ManyResult robot_batch(std::optional<ErrorDetail> mistake, std::span<Result> results,
                       const RobotManyOptions<Options>& options, const Ask& ask) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  ManyResult many;
  const auto forget = [&](std::size_t i) { results[i] = Result{}; };
  const auto forget_all = [&] {
    for (std::size_t i = 0; i < results.size(); ++i) forget(i);
  };
  const auto finish = [&] {
    many.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return many;
  };
  if (core::refused(many, core::bad_threads(options.threads)) || core::refused(many, std::move(mistake))) {
    forget_all();
    many.undecided = results.size();
    return finish();
  }
  core::Limits limits(options.cancel, options.budget);
  bool begun = false;
  core::run_within(limits, [&](core::Limits*) {
    begun = true;
    std::optional<RobotManyMemory> own;
    RobotManyMemory& memory = options.memory ? *options.memory : own.emplace();
    const std::span<RobotMemory> memories = memory.memories(options.threads);
    graze::ask::answer_entries(
        results.size(), options.threads,
        [&](std::size_t worker) {
          Options each = options.each;
          each.memory = &memories[worker];
          return [&, each = std::move(each)](std::size_t i) { ask(i, each, results[i]); };
        },
        forget);
  });
  if (!begun) forget_all();
  core::leave_if_outer_ended(limits);
  graze::ask::count_entries(results, many);
  return finish();
}

}  // namespace

ManyResult check_many(const Robot& robot, std::span<const double> states, std::span<StateResult> results,
                      const RobotManyOptions<StateOptions>& options) {
  const std::size_t n = robot.coordinates();
  return robot_batch(wrong_states("states", states, n, results.size(), false), results, options,
                     [&](std::size_t i, const StateOptions& each, StateResult& result) {
                       robot.check(states.subspan(i * n, n), each, result);
                     });
}

ManyResult motion_free_many(const Robot& robot, std::span<const double> from, std::span<const double> to,
                            std::span<RobotFreeResult> results, const RobotManyOptions<RobotFreeOptions>& options) {
  const std::size_t n = robot.coordinates();
  std::optional<ErrorDetail> mistake = wrong_states("from", from, n, results.size(), true);
  if (!mistake) mistake = wrong_states("to", to, n, results.size(), false);
  const bool same_start = from.size() == n;
  return robot_batch(std::move(mistake), results, options,
                     [&](std::size_t i, const RobotFreeOptions& each, RobotFreeResult& result) {
                       robot.motion_free(from.subspan(same_start ? 0 : i * n, n), to.subspan(i * n, n), each, result);
                     });
}

}  // namespace graze
