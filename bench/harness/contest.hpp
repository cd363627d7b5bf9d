// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/progress.hpp"

namespace graze::bench {

/// Triangle ids: of A, of B.
using IdPair = std::pair<std::uint32_t, std::uint32_t>;

/// One library (or one method of graze) that answers the queries of a row.
struct Contestant {
  std::string name;
  /// The answer to query i as one number: 0 or 1, a count of pairs, a distance. Only this call is timed.
  std::function<double(std::size_t)> ask;
  /// Triangle pairs that prove the answer (the first found, or all of them, sorted); never timed, may be absent.
  std::function<std::vector<IdPair>(std::size_t)> pairs = {};
  /// Preparation before the clock starts; never timed. May be absent; then a block is one query.
  std::function<void(std::size_t)> prepare = {};
  /// It only reports candidates: pairs whose boxes meet. All true pairs must be among them.
  bool candidates_only = false;
};

/// Seconds per query.
struct Timing {
  double mean = 0, median = 0, p99 = 0;
};

struct ContestPlan {
  std::size_t queries = 0;
  /// Queries between two clock readings. Reading the clock costs a system call, which would dominate queries of a
  /// microsecond.
  std::size_t block = 1;
  int passes = 3;
  bool wall_clock = false;
};

/// Times all contestants interleaved, query by query, and keeps each query's fastest pass. Returns, for each
/// contestant, the seconds per query of each block.
std::vector<std::vector<double>> best_seconds(const std::vector<Contestant>& contestants, const ContestPlan& plan,
                                              Progress& progress);

Timing summarise(std::vector<double> seconds);

/// Both combined.
std::vector<Timing> time_interleaved(const std::vector<Contestant>& contestants, const ContestPlan& plan,
                                     Progress& progress);

}  // namespace graze::bench
