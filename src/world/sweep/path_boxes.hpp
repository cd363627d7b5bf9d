// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "world/sweep/sweep.hpp"

namespace graze::world {

/// The boxes of the bodies' paths, widened by what may touch from a distance, and the pairs whose boxes overlap.
class PathBoxes {
 public:
  PathBoxes(State& state, const SweepOptions& options, const Movers& movers)
      : state_(state), options_(options), movers_(movers) {}

  /// The pair's own, or that of the sweep.
  std::optional<double> tolerance(PairKey key) const;
  /// No pair's tolerance exceeds the sum of the margins of its two bodies.
  double margin(std::uint32_t slot) const;
  /// Pairs with overlapping boxes of which a body moved, and those of `again` with overlapping boxes. In ascending
  /// order.
  std::vector<PairKey> near(const std::unordered_set<PairKey>& again);

 private:
  Box3 swept_box(std::uint32_t slot) const;
  void update_boxes();

  State& state_;
  const SweepOptions& options_;
  const Movers& movers_;
};

}  // namespace graze::world
