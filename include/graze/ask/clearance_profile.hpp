// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

/// The distance of two moving bodies at one time of a grid, and from there to the next.
struct ClearanceSample {
  double time = 0;
  double lower = 0, upper = 0;  ///< certified: at `time`, the distance lies between these two
  /// Certified: the distance is at least this from `time` to the next time of the grid; of the last one, at `time`. It
  /// comes from the speeds of both bodies and from distances at up to 32 times between, which are asked until it is 0.9
  /// of the least of them.
  double lower_until_next = 0;
};

struct ClearanceProfileOptions {
  double relative_error = 1e-9;  ///< of each distance, as for `distance`; rounding adds to it
  int threads = 1;               ///< the answer is the same for any number
  // Limits: see `CancelToken`. `work` applies to each time, the others to the whole question.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

struct ClearanceProfileResult {
  /// `free`: certified apart in the whole span of the grid, by `lower_until_next`. `contact`: at a time of the grid the
  /// distance is at most its rounding error. `undecided`: neither; use a finer grid, or `first_contact`. Or a limit
  /// ended the question: samples that are not known have `lower` 0 and `upper` infinity.
  Status status = Status::undecided;
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// How far apart two moving bodies are over time, on a grid of ascending times in [0, 1]. `samples` must have as many
/// entries as `times`. Surfaces, as for `distance`; shapes are solid. `invalid_request`: the times are not ascending or
/// not in [0, 1], there are none, there are not as many samples, or both bodies are half-spaces.
GRAZE_API ClearanceProfileResult clearance_profile(const Body& a, const Motion& motion_a, const Body& b,
                                                   const Motion& motion_b, std::span<const double> times,
                                                   std::span<ClearanceSample> samples,
                                                   const ClearanceProfileOptions& options = {});

}  // namespace graze
