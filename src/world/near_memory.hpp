// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include <graze/ask/distance.hpp>

#include "world/pair_key.hpp"

namespace graze::world {

/// The answers of the last `near`. An answer depends only on the two bodies and their poses: it holds as long as
/// neither is placed anew.
struct NearMemory {
  struct Entry {
    PairKey key;
    bool is_near;
    DistanceResult distance;
  };
  std::optional<double> d;            ///< the distance that was asked for; none: nothing is remembered
  std::vector<Entry> entries;         ///< all pairs of interest whose boxes were that near; in ascending order
  std::vector<std::uint32_t> placed;  ///< bodies placed since then, each at most once
  std::unordered_set<PairKey> again;  ///< pairs whose own settings changed since then
};

}  // namespace graze::world
