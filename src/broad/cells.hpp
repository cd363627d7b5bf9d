// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <graze/math/box3.hpp>

namespace graze::broad {

/// A block of cells: from lo to hi along each axis, both included.
struct CellRange {
  std::int32_t lo[3], hi[3];

  bool empty() const { return lo[0] > hi[0] || lo[1] > hi[1] || lo[2] > hi[2]; }
  bool overlaps(const CellRange& o) const {
    for (int k = 0; k < 3; ++k) {
      if (lo[k] > o.hi[k] || o.lo[k] > hi[k]) return false;
    }
    return true;
  }
  bool holds(const CellRange& o) const {
    for (int k = 0; k < 3; ++k) {
      if (o.lo[k] < lo[k] || o.hi[k] > hi[k]) return false;
    }
    return true;
  }
  CellRange common(const CellRange& o) const {
    CellRange c;
    for (int k = 0; k < 3; ++k) {
      c.lo[k] = std::max(lo[k], o.lo[k]);
      c.hi[k] = std::min(hi[k], o.hi[k]);
    }
    return c;
  }
  double count() const {
    double n = 1;
    for (int k = 0; k < 3; ++k) n *= static_cast<double>(hi[k]) - lo[k] + 1;
    return n;
  }
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// Calls `visit(range)` for at most six disjoint blocks that together form `a` minus `b` (Zachmann 5.4.3): for each
/// axis in turn the parts of `a` below and above `b`, and then restricted to the common range along that axis.
template <class Visit>
void for_each_difference(CellRange a, const CellRange& b, Visit&& visit) {
  if (!a.overlaps(b)) {
    visit(a);
    return;
  }
  for (int k = 0; k < 3; ++k) {
    if (a.lo[k] < b.lo[k]) {
      CellRange below = a;
      below.hi[k] = b.lo[k] - 1;
      visit(below);
      a.lo[k] = b.lo[k];
    }
    if (a.hi[k] > b.hi[k]) {
      CellRange above = a;
      above.lo[k] = b.hi[k] + 1;
      visit(above);
      a.hi[k] = b.hi[k];
    }
  }
}

/// Maps coordinates to cells: floor((x - origin) / side) clamped to [least, most]. Every step is monotone under
/// rounding. Therefore boxes with a common point (the larger of their lower bounds along each axis) share the cell of
/// that point, regardless of rounding, overflow or points outside the range.
struct CellMap {
  double origin[3] = {0, 0, 0};
  double per_side[3] = {1, 1, 1};  // one over a cell's side; positive and finite
  std::int32_t least[3] = {0, 0, 0}, most[3] = {0, 0, 0};

  std::int32_t cell(double x, int k) const {
    const double c = std::floor((x - origin[k]) * per_side[k]);
    return static_cast<std::int32_t>(std::clamp<double>(c, least[k], most[k]));
  }
  CellRange range(const Box3& box) const {
    CellRange r;
    for (int k = 0; k < 3; ++k) {
      r.lo[k] = cell(box.lo[k], k);
      r.hi[k] = cell(box.hi[k], k);
    }
    return r;
  }
};

}  // namespace graze::broad
