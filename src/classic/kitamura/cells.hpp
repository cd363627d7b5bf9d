// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <graze/math/box3.hpp>

namespace graze::classic::kitamura {

/// A closed cell of an octree or bintree, and how often it was subdivided.
struct Cell {
  Box3 box;
  int depth = 0;
};

/// Any double between the two ends makes two closed parts that cover the cell; this one is near the middle.
inline double middle(double lo, double hi) { return lo / 2 + hi / 2; }

inline bool can_cut(const Box3& box, int axis) {
  const double m = middle(box.lo[axis], box.hi[axis]);
  return box.lo[axis] < m && m < box.hi[axis] && std::isfinite(box.lo[axis]) && std::isfinite(box.hi[axis]);
}
inline bool can_cut(const Box3& box) { return can_cut(box, 0) || can_cut(box, 1) || can_cut(box, 2); }

/// Half the side length, so that no finite box overflows.
inline double half_side(const Box3& box, int axis) { return box.hi[axis] / 2 - box.lo[axis] / 2; }
inline double longest_half_side(const Box3& box) {
  return std::max({half_side(box, 0), half_side(box, 1), half_side(box, 2)});
}

struct CellParts {
  std::array<Cell, 8> cell;
  std::size_t count = 0;
  std::array<double, 3> middle{};       ///< where the axes are cut
  std::array<std::uint8_t, 3> upper{};  ///< bit mask of the parts above that; none if the axis is not cut

  /// Bit mask of the parts that a box overlapping the cell overlaps.
  std::uint8_t reach(const Box3& box) const {
    unsigned bits = (1U << count) - 1;
    for (std::size_t k = 0; k < 3; ++k) {
      if (upper[k] == 0) continue;
      if (box.lo[static_cast<int>(k)] > middle[k]) bits &= upper[k];
      if (box.hi[static_cast<int>(k)] < middle[k]) bits &= ~unsigned{upper[k]};
    }
    return static_cast<std::uint8_t>(bits);
  }
};

/// The parts of a cell that can be cut: eight, or for a bintree two, across the longest side. Sides of an octree's cell
/// that are less than half as long as the longest (a cube has none) are not cut, so that the parts of a flat root
/// become cubes, too.
inline CellParts cut(const Cell& cell, bool bintree) {
  double longest = 0;
  int longest_axis = 0;
  for (int k = 0; k < 3; ++k) {
    const double side = half_side(cell.box, k);
    if (!can_cut(cell.box, k) || side <= longest) continue;
    longest = side;
    longest_axis = k;
  }
  CellParts parts;
  parts.cell[0] = {cell.box, cell.depth + 1};
  parts.count = 1;
  for (int k = 0; k < 3; ++k) {
    const bool wanted = k == longest_axis || (!bintree && half_side(cell.box, k) >= longest / 2);
    if (!wanted || !can_cut(cell.box, k)) continue;
    const double m = middle(cell.box.lo[k], cell.box.hi[k]);
    parts.middle[static_cast<std::size_t>(k)] = m;
    unsigned upper = 0;
    for (std::size_t i = 0; i < 8; ++i)
      if (i / parts.count % 2 == 1) upper |= 1U << i;
    for (std::size_t i = 0; i < parts.count; ++i) {
      Cell& low = parts.cell[i];
      Cell& high = parts.cell[parts.count + i];
      high = low;
      low.box.hi[k] = m;
      high.box.lo[k] = m;
    }
    parts.count *= 2;
    parts.upper[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(upper);
  }
  return parts;
}

/// The cube around a box, with the same lower corner (Kitamura 3.1: the world's). Infinite boxes are unchanged.
inline Box3 cube_around(const Box3& box) {
  if (box.empty()) return box;
  double side = 0;
  for (int k = 0; k < 3; ++k) side = std::max(side, box.hi[k] - box.lo[k]);
  if (!std::isfinite(side)) return box;
  Box3 cube = box;
  for (int k = 0; k < 3; ++k) cube.hi[k] = std::max(box.hi[k], box.lo[k] + side);  // the sum may be rounded down
  return cube;
}

}  // namespace graze::classic::kitamura
