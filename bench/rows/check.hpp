// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "peers/peers.hpp"

namespace graze::bench {

/// How one contestant's answers stand before timing.
struct Standing {
  std::size_t wrong = 0;      ///< queries answered wrongly
  std::size_t unsettled = 0;  ///< queries answered differently from others, with nothing to settle who is right
  /// Of a contestant that finds candidates only: how many, and how many pairs truly meet.
  std::size_t candidates = 0, true_pairs = 0;
};

/// Asks everyone everything and settles differences: by CGAL's exact arithmetic where triangle pairs show an answer,
/// else by the majority. Distances differ when they are more than the peers' rounding apart from the middle one.
std::vector<Standing> check_answers(Question question, const Scene& scene, const std::vector<Contestant>& contestants,
                                    std::size_t queries, Progress& progress);

}  // namespace graze::bench
