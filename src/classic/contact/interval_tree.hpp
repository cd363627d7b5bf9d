// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "bv/oriented_box.hpp"

namespace graze::classic::contact {

/// A node of the binary tree of oriented boxes (CONTACT 3.3): the box contains everything below it, in the body's
/// frame.
struct IntervalNode {
  bv::OrientedBox box;
  double radius = 0;         ///< upper bound of the length of the box's half diagonal
  std::uint32_t first = 0;   ///< inner node: the left child, the right one is next to it; leaf: the item (triangle)
  std::uint32_t parent = 0;  ///< of the root: itself
  bool leaf = false;
};

/// Items of a tree, each given by points whose hull, widened by a radius, contains it: item i has the points [first[i],
/// first[i + 1]).
struct IntervalItems {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> first{0};
  std::vector<double> radius;  ///< empty: all 0

  void add(std::span<const Vec3> of_item) {
    points.insert(points.end(), of_item.begin(), of_item.end());
    first.push_back(static_cast<std::uint32_t>(points.size()));
  }
  std::size_t size() const { return first.size() - 1; }
  std::span<const Vec3> operator[](std::size_t i) const {
    return {points.data() + first[i], points.data() + first[i + 1]};
  }
};

/// Boxes fitted by the min-max method (bv/min_max_box), one triangle per leaf; node 0 is the root. Nodes are split at
/// the mean of the items' centres along the longest axis that has a fair share of them on both sides, as in
/// Gottschalk's trees. Built once per body, deterministic.
struct IntervalTree {
  explicit IntervalTree(const Mesh& mesh);
  /// Requires at least one item.
  explicit IntervalTree(const IntervalItems& items);
  std::vector<IntervalNode> nodes;
};

}  // namespace graze::classic::contact
