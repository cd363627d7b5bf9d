// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "scene/assembly.hpp"

namespace graze::bench {

/// What a clash check found, and what it took: reading no file, but building everything.
struct ClashRun {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> clashes;  ///< sorted
  double seconds = 0;                                            ///< processor time of this thread
  double most_bytes = 0;  ///< graze only: of meshes and trees, the most at one time
};

/// graze::clash::check.
ClashRun graze_clash(const KnownAssembly& assembly);
/// FCL's dynamic tree over objects with OBBRSS meshes, each model built once; a pair is asked for one contact. Empty
/// without FCL.
using ClashRunner = ClashRun (*)(const KnownAssembly&);
ClashRunner fcl_clash();

}  // namespace graze::bench
