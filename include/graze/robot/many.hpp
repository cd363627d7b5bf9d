// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>

#include <graze/ask/many.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/robot/robot.hpp>

namespace graze {

/// What batches of a robot keep from one to the next: buffers, and which pairs touched last. With it, and with results
/// that are used again, a batch allocates no more than its questions do (except inside the library that runs the
/// threads). Not for two batches at the same time.
class GRAZE_API RobotManyMemory {
 public:
  RobotManyMemory();
  ~RobotManyMemory();
  RobotManyMemory(RobotManyMemory&&) noexcept;
  RobotManyMemory& operator=(RobotManyMemory&&) noexcept;
  /// One for each thread.
  std::span<RobotMemory> memories(int threads);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Options of a batch of questions about a robot.
template <class Options>
struct RobotManyOptions {
  /// Those of each entry. Its limits apply to each entry separately; its `memory` is not used.
  Options each = {};
  int threads = 1;
  // Limits of the whole batch: see `CancelToken`. Entries that are not answered are `undecided`.
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
  RobotManyMemory* memory = nullptr;  ///< none: made for this batch
};

/// `Robot::check` of many states, one after another in `states`: the answer about state i goes to `results[i]`. The
/// same for any number of threads and any memory are: `status`, `pair`, `beyond_limits` and `error`. How much was asked
/// is not, because pairs that touched before are asked first.
GRAZE_API ManyResult check_many(const Robot& robot, std::span<const double> states, std::span<StateResult> results,
                                const RobotManyOptions<StateOptions>& options = {});

/// `Robot::motion_free` of many motions: from state i in `from` to state i in `to`. A single state in `from` stands for
/// all. The same for any number of threads and any memory are `status` and `error`.
GRAZE_API ManyResult motion_free_many(const Robot& robot, std::span<const double> from, std::span<const double> to,
                                      std::span<RobotFreeResult> results,
                                      const RobotManyOptions<RobotFreeOptions>& options = {});

}  // namespace graze
