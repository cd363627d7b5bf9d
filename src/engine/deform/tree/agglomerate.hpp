// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "bvh/tree.hpp"
#include "core/large_memory.hpp"

namespace graze::engine::deform {

inline bvh::BoxF united(const bvh::BoxF& a, const bvh::BoxF& b) {
  bvh::BoxF u;
  for (int k = 0; k < 3; ++k) {
    u.lo[k] = std::min(a.lo[k], b.lo[k]);
    u.hi[k] = std::max(a.hi[k], b.hi[k]);
  }
  return u;
}

/// The patches of a mesh, which of them touch along an edge, and the joins made. Numbers below the count of given
/// patches are those patches; each join creates the next number.
struct Joining {
  core::LargeVector<bvh::BoxF> boxes;
  core::LargeVector<std::uint32_t> counts;  ///< number of triangles in each
  core::LargeVector<std::array<std::uint32_t, 2>>
      touching;  ///< pairs of touching patches; consumed; may contain duplicates
  core::LargeVector<std::array<std::uint32_t, 2>> joined;  ///< out: entry i created number (patches given) + i
  std::vector<std::uint32_t> roots;  ///< out: the patches that were not joined to any other, ascending
};

/// Joins touching patches bottom up (ICCD VI.A) until each connected component is one patch. In every round each patch
/// chooses the neighbour with which it has the smallest box (by half its area), and two that choose each other are
/// joined. Ties are broken by a hash of their numbers, so that regular meshes are not joined one by one. The size of
/// joined patches is limited in each round, so that the tree stays shallow. Large numbers of patches are first joined
/// within the cells of a coarse grid. The result is the same for any number of threads and on any machine.
void agglomerate(Joining& joining, int threads);

}  // namespace graze::engine::deform
