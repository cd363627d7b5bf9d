// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "peers/peers.hpp"

namespace graze::bench {

/// The correctness of one contestant's answers, checked before timing.
struct Standing {
  std::size_t wrong = 0;      ///< queries answered wrongly
  std::size_t unsettled = 0;  ///< queries answered differently from others, with no way to decide which is right
  /// For a contestant that finds candidates only: the number of candidates, and of pairs that actually meet.
  std::size_t candidates = 0, true_pairs = 0;
};

/// Runs all queries on all contestants and resolves differences: by CGAL's exact arithmetic if triangle pairs support
/// an answer, else by majority. Distances count as different if they deviate from the median by more than the peers'
/// rounding.
std::vector<Standing> check_answers(Question question, const Scene& scene, const std::vector<Contestant>& contestants,
                                    std::size_t queries, Progress& progress);

}  // namespace graze::bench
