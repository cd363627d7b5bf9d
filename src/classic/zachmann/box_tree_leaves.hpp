// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "classic/zachmann/box_tree_data.hpp"
#include "classic/zachmann/box_tree_frame.hpp"
#include "engine/collide/method.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::classic::zachmann {

/// The elementary operation of the box-tree for `collide`: edges of either leaf against the polygons of the other, with
/// the pre-checks of Zachmann 3.2 and the collect phase of 3.6.5; the test itself is exact.
class BoxTreeLeaves {
 public:
  BoxTreeLeaves(const engine::collide::CollideQuery& query, const BoxTreeFrame& frame, const BoxTreeData& a,
                const BoxTreeData& b, CollideResult& result);

  bool done() {
    done_ = done_ || engine::collide::over(query_.limits, query_.counters);
    return done_;
  }
  void operator()(std::uint32_t leaf_a, std::uint32_t leaf_b, const std::array<Box3, 2>& boxes);

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  /// A triangle or an edge with a box in A's axes that is certified to contain it.
  struct Item {
    std::uint32_t id;
    Box3 box;
  };
  struct Side {
    std::vector<std::uint32_t>
        first;  ///< of each leaf: where its items are in `items`, faces before edges; none: not yet needed
    std::vector<Item> items;
    std::vector<Item> near_faces, near_edges;  ///< items of the present leaf that reach the other leaf
  };

  const body::BodyData& body(std::size_t b) const { return b == 0 ? query_.a : query_.b; }
  Box3 box_of(std::size_t b, std::span<const std::uint32_t> vertices) const;
  /// The items of a leaf, placed when first needed.
  const Item* load(std::size_t b, std::uint32_t leaf);
  void collect(std::size_t b, std::uint32_t leaf, const Box3& reach);
  /// Tests edges of body b against polygons of the other.
  void phase(std::size_t b);
  bool seen_before(std::size_t b, std::uint32_t edge, std::uint32_t face);
  void test(std::size_t b, std::uint32_t edge, std::uint32_t face);
  void found(std::size_t b, std::uint32_t edge, std::uint32_t face, ContactKind kind);

  const engine::collide::CollideQuery& query_;
  const BoxTreeFrame& frame_;
  std::array<const BoxTreeData*, 2> trees_;
  CollideResult& result_;
  math::PlacedPoints points_;
  std::array<Side, 2> sides_;
  /// Recently tested pairs, one per hash value: elements that cross cuts meet again in neighbouring leaves.
  std::array<std::vector<std::uint64_t>, 2> tested_;
  bool done_ = false;
};

}  // namespace graze::classic::zachmann
