// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/plane_geometry.hpp"

namespace graze::mesh {

struct Box2 {
  double x0, y0, x1, y1;

  static Box2 of(const Point2& a, const Point2& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
  }
  void add(const Box2& o) { *this = {std::min(x0, o.x0), std::min(y0, o.y0), std::max(x1, o.x1), std::max(y1, o.y1)}; }
  bool overlaps(const Box2& o) const { return x0 <= o.x1 && o.x0 <= x1 && y0 <= o.y1 && o.y0 <= y1; }
  /// Does the whole box lie strictly to the right of the line from a to b? Its leftmost corner decides.
  bool is_right_of(const Point2& a, const Point2& b) const {
    return orient(a, b, {b.y > a.y ? x0 : x1, b.x > a.x ? y1 : y0}) < 0;
  }
};

/// Finds the corners in a triangle: a balanced tree over points. Corners can be enabled and disabled; only enabled ones
/// are visited.
class CornerTree {
 public:
  void build(std::span<const Point2> corners);
  void set(std::uint32_t corner, bool on);

  /// Calls `stop(corner)` for the enabled corners that may lie in the counter-clockwise triangle, until it returns
  /// true.
  template <class Stop>
  bool any(const Point2& a, const Point2& b, const Point2& c, Stop&& stop) const {
    Box2 box = Box2::of(a, b);
    box.add(Box2::of(c, c));
    return any(1, 0, size(), Query{a, b, c, box}, stop);
  }

 private:
  static constexpr std::uint32_t leaf_size = 8;
  struct Query {
    const Point2 &a, &b, &c;
    Box2 box;
    bool misses(const Box2& o) const {
      return !box.overlaps(o) || o.is_right_of(a, b) || o.is_right_of(b, c) || o.is_right_of(c, a);
    }
  };

  std::uint32_t size() const { return static_cast<std::uint32_t>(corners_.size()); }
  void build(std::uint32_t node, std::uint32_t first, std::uint32_t last);

  template <class Stop>
  bool any(std::uint32_t node, std::uint32_t first, std::uint32_t last, const Query& query, Stop& stop) const {
    if (count_[node] == 0) return false;
    if (last - first <= leaf_size) {
      for (std::uint32_t i = first; i < last; ++i) {
        if (on_[order_[i]] && stop(order_[i])) return true;
      }
      return false;
    }
    if (query.misses(boxes_[node])) return false;
    const std::uint32_t middle = first + (last - first) / 2;
    return any(2 * node, first, middle, query, stop) || any(2 * node + 1, middle, last, query, stop);
  }

  std::span<const Point2> corners_;
  std::vector<std::uint32_t>
      order_;  // a node is a range of it; node 1 is the root, node i has the children 2i and 2i + 1
  std::vector<std::uint32_t> slot_;  // the position of a corner in order_
  std::vector<Box2> boxes_;
  std::vector<std::uint32_t> count_;  // number of enabled corners
  std::vector<std::uint8_t> on_;
};

/// Do two edges of the outline cross, each strictly through the other's interior? Uses boxes over runs of consecutive
/// edges: an outline is continuous, so runs are compact in space. Gives up and answers no after a number of edge pairs
/// that no ordinary outline reaches; clipping then has to detect the crossing.
class OutlineCrossing {
 public:
  bool operator()(std::span<const Point2> corners);

 private:
  static constexpr std::uint32_t run = 8;

  std::uint32_t size() const { return static_cast<std::uint32_t>(corners_.size()); }
  bool is_leaf(std::uint32_t node) const { return node >= leaves_; }
  std::uint32_t first(std::uint32_t node) const { return (node - leaves_) * run; }
  std::uint32_t last(std::uint32_t node) const { return std::min(first(node) + run, size()); }
  const Point2& end(std::uint32_t edge) const { return corners_[edge + 1 < size() ? edge + 1 : 0]; }
  bool within(std::uint32_t node);
  bool between(std::uint32_t node_a, std::uint32_t node_b);
  bool edges_cross(std::uint32_t i, std::uint32_t j);

  std::span<const Point2> corners_;
  std::uint32_t leaves_ = 1;
  std::vector<Box2> boxes_;
  std::uint64_t budget_ = 0;
};

}  // namespace graze::mesh
