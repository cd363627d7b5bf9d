// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bvh/tree.hpp"
#include "core/large_memory.hpp"
#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::deform {

/// The smallest unit of joining: a triangle, or a node of the tree before a break with its whole subtree.
struct Unit {
  std::uint32_t id;
  bool node;
};

/// Units, joins of patches and joins of parts as one binary tree, before its final layout.
struct Forest {
  core::LargeVector<Unit> units;
  core::LargeVector<std::array<std::uint32_t, 2>> joined;  ///< entry i is number units + i
  core::LargeVector<std::uint32_t> counts;                 ///< number of triangles
  core::LargeVector<bvh::BoxF> boxes;
  std::size_t first_above = 0;      ///< joins from here on are of parts that are not connected
  std::vector<float> kept_culling;  ///< of those joins, if unchanged: the culling metric at construction, else negative
  std::uint32_t root = 0;
};

/// Adds the join of two numbers, and returns its own.
std::uint32_t join(Forest& f, std::uint32_t a, std::uint32_t b);

/// Joins units along connectivity. Returns the numbers of the parts.
std::vector<std::uint32_t> join_units(Forest& f, core::LargeVector<std::array<std::uint32_t, 2>> touching, int threads);

/// The upper tree, top down (VI.A), as further joins.
void join_parts(Forest& f, const std::vector<std::uint32_t>& parts, int threads);

/// The forest as a tree, with its contours. `old`: the tree that nodes of the forest are from, or null.
PatchTree lay_out(Forest& f, const PatchTree* old, const Topology& topology, int threads);

}  // namespace graze::engine::deform
