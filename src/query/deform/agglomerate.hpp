// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bvh/tree.hpp"
#include "core/large_memory.hpp"

namespace graze::query {

/// Patches of a mesh, which of them touch along an edge, and what is joined to what. Numbers below the count of
/// patches that were given are those; each join makes the next number.
struct Joining {
  core::LargeVector<bvh::BoxF> boxes;
  core::LargeVector<std::uint32_t> counts;  ///< triangles in each
  core::LargeVector<std::array<std::uint32_t, 2>>
      touching;  ///< pairs of patches; consumed; a pair may be there many times
  core::LargeVector<std::array<std::uint32_t, 2>> joined;  ///< out: entry i made number (patches given) + i
  std::vector<std::uint32_t> roots;                        ///< out: what was joined to nothing, rising
};

/// Joins patches that touch, bottom up (ICCD VI.A), until each connected part is one: in every round each patch chooses
/// the neighbour with which it has the smallest box (half its area), and two that choose each other are joined. Ties
/// are broken by a hash of their numbers, so that regular meshes do not join one by one, and nothing grows much faster
/// than the rest, so that the tree stays shallow. Many patches are joined cell by cell of a coarse grid first. The same
/// for any number of threads and on any machine.
void agglomerate(Joining& joining, int threads);

}  // namespace graze::query
