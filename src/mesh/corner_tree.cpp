// SPDX-License-Identifier: MIT
#include "mesh/corner_tree.hpp"

#include <bit>
#include <limits>
#include <numeric>

namespace graze::mesh {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Box2 nothing{inf, inf, -inf, -inf};

}  // namespace

void CornerTree::build(std::span<const Point2> corners) {
  corners_ = corners;
  const std::size_t nodes = 2 * std::bit_ceil(std::size_t{size()});
  order_.resize(size());
  std::iota(order_.begin(), order_.end(), 0U);
  boxes_.assign(nodes, nothing);
  count_.assign(nodes, 0);
  on_.assign(size(), 0);
  build(1, 0, size());
  slot_.resize(size());
  for (std::uint32_t i = 0; i < size(); ++i) slot_[order_[i]] = i;
}

void CornerTree::build(std::uint32_t node, std::uint32_t first, std::uint32_t last) {
  if (last - first <= leaf_size) return;
  for (std::uint32_t i = first; i < last; ++i) boxes_[node].add(Box2::of(corners_[order_[i]], corners_[order_[i]]));
  const Box2& box = boxes_[node];
  // Halve first: the difference of two finite numbers can overflow.
  const bool wide = box.x1 / 2 - box.x0 / 2 > box.y1 / 2 - box.y0 / 2;
  const auto less = [&](std::uint32_t i, std::uint32_t j) {
    const double u = wide ? corners_[i].x : corners_[i].y, v = wide ? corners_[j].x : corners_[j].y;
    return u != v ? u < v : i < j;
  };
  const std::uint32_t middle = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last, less);
  build(2 * node, first, middle);
  build(2 * node + 1, middle, last);
}

void CornerTree::set(std::uint32_t corner, bool on) {
  if (static_cast<bool>(on_[corner]) == on) return;
  on_[corner] = on;
  std::uint32_t node = 1, first = 0, last = size();
  for (;;) {
    count_[node] = on ? count_[node] + 1 : count_[node] - 1;
    if (last - first <= leaf_size) return;
    const std::uint32_t middle = first + (last - first) / 2;
    const bool right = slot_[corner] >= middle;
    node = 2 * node + right;
    (right ? first : last) = middle;
  }
}

bool OutlineCrossing::operator()(std::span<const Point2> corners) {
  corners_ = corners;
  budget_ = 10'000'000 + 100 * std::uint64_t{size()};
  leaves_ = std::bit_ceil((size() + run - 1) / run);
  boxes_.assign(2 * std::size_t{leaves_}, nothing);
  for (std::uint32_t i = 0; i < size(); ++i) boxes_[leaves_ + i / run].add(Box2::of(corners_[i], end(i)));
  for (std::uint32_t node = leaves_ - 1; node > 0; --node) {
    boxes_[node] = boxes_[2 * node];
    boxes_[node].add(boxes_[2 * node + 1]);
  }
  return within(1) && budget_ > 0;
}

bool OutlineCrossing::edges_cross(std::uint32_t i, std::uint32_t j) {
  if (budget_ == 0) return true;  // ends the search; the caller checks the budget
  --budget_;
  const Point2 &a = corners_[i], &b = end(i), &c = corners_[j], &d = end(j);
  if (!Box2::of(a, b).overlaps(Box2::of(c, d))) return false;
  return orient(a, b, c) * orient(a, b, d) < 0 && orient(c, d, a) * orient(c, d, b) < 0;
}

bool OutlineCrossing::within(std::uint32_t node) {
  if (!is_leaf(node)) return within(2 * node) || within(2 * node + 1) || between(2 * node, 2 * node + 1);
  for (std::uint32_t i = first(node); i < last(node); ++i) {
    for (std::uint32_t j = i + 2; j < last(node); ++j) {
      if (edges_cross(i, j)) return true;
    }
  }
  return false;
}

bool OutlineCrossing::between(std::uint32_t node_a, std::uint32_t node_b) {
  if (!boxes_[node_a].overlaps(boxes_[node_b])) return false;
  if (!is_leaf(node_a)) {  // both have the same depth
    for (std::uint32_t a : {2 * node_a, 2 * node_a + 1}) {
      if (between(a, 2 * node_b) || between(a, 2 * node_b + 1)) return true;
    }
    return false;
  }
  for (std::uint32_t i = first(node_a); i < last(node_a); ++i) {
    for (std::uint32_t j = first(node_b); j < last(node_b); ++j) {
      if (edges_cross(i, j)) return true;
    }
  }
  return false;
}

}  // namespace graze::mesh
