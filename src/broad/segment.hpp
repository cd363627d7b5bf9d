// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include <graze/math/box3.hpp>

namespace graze::broad {

/// { origin + s direction : 0 <= s <= length }.
struct Segment {
  Vec3 origin, direction;
  double length;

  /// Is there an s at which all three coordinates are in the box? Never a wrong "no": each end of each axis's range of
  /// s comes from one subtraction and one division, each rounded by at most half a unit in the last place (also where
  /// they underflow or overflow), and is moved outward by one unit after each. Larger boxes give larger ranges, since
  /// each of these steps is monotone: if a box contains another and the answer for the inner one is "yes", so is the
  /// answer for the outer one.
  bool meets(const Box3& box) const {
    double from = 0, to = 0;
    return clip(box, from, to);
  }

  /// The same, and returns the range of s.
  bool clip(const Box3& box, double& from, double& to) const {
    from = 0;
    to = length;
    for (int k = 0; k < 3; ++k) {
      const double o = origin[k], d = direction[k];
      if (d == 0) {
        if (o < box.lo[k] || o > box.hi[k]) return false;
        continue;
      }
      const double near = d > 0 ? box.lo[k] : box.hi[k], far = d > 0 ? box.hi[k] : box.lo[k];
      const double toward = d > 0 ? -infinity : infinity;
      from = std::max(from, std::nextafter(std::nextafter(near - o, toward) / d, -infinity));
      to = std::min(to, std::nextafter(std::nextafter(far - o, -toward) / d, infinity));
    }
    return from <= to;
  }

  /// A box around the points with s in [s0, s1], wide enough to overlap every box that `meets` finds there: for such s,
  /// s direction differs from the box's near or far side minus the origin by the three roundings and two steps outward
  /// of `clip`, less than 4 units of 2^-52 of either; two more roundings produce the ends here. Infinite where that
  /// overflows.
  Box3 around(double s0, double s1) const {
    Box3 box;
    for (int k = 0; k < 3; ++k) {
      const double o = origin[k], a = s0 * direction[k], b = s1 * direction[k];
      if (direction[k] == 0) {
        box.lo[k] = box.hi[k] = o;
        continue;
      }
      const double reach = std::max(std::abs(a), std::abs(b));
      const double error = 0x1p-48 * (std::abs(o) + reach) + 0x1p-1060 * (1 + std::abs(direction[k]));
      box.lo[k] = (o + std::min(a, b)) - error;
      box.hi[k] = (o + std::max(a, b)) + error;
      if (!(box.lo[k] <= box.hi[k]) || !std::isfinite(reach)) box.lo[k] = -infinity, box.hi[k] = infinity;
    }
    return box;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
};

}  // namespace graze::broad
