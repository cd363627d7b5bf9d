// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/math/box3.hpp>

#include "classic/zachmann/box_tree_data.hpp"
#include "math/relative_placement.hpp"

namespace graze::classic::zachmann {

/// The relative frames of two box-trees: the data that stay constant during a traversal.
///
/// A coordinate of a point of one body along an axis k of the other is offset[k] + sum over own axes j of slope[j][k]
/// x_j. Error bound, with eps = 2^-53 and L = `size`: entries of the rounded rotation have an error of at most 64 eps
/// and its translation 100 eps L (see RelativePlacement), the inverse's offset 300 eps L; so such a sum, including its
/// own roundings, has an error of less than 600 eps L. `margin` = 2048 eps L also covers the roundings of line
/// parameters and of boxes that are updated over 64 levels; the distance required by the thickness of cut-planes is
/// added to it: see BoxTreeClip.
struct BoxTreeFrame {
  BoxTreeFrame(const math::RelativePlacement& placement, const BoxTreeData& a, const BoxTreeData& b) {
    const auto& r = placement.rotation();
    const Vec3& t = placement.translation();
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        slope[0][i][k] = r[static_cast<std::size_t>(3 * i + k)];
        slope[1][k][i] = slope[0][i][k];
      }
    for (int k = 0; k < 3; ++k) {
      offset[0][k] = -(slope[0][0][k] * t.x + slope[0][1][k] * t.y + slope[0][2][k] * t.z);
      offset[1][k] = t[k];
    }
    size = largest(a.box) + largest(b.box) + placement.shift();
    // Outside this range products could overflow or lose their last bits; then boxes never exclude anything.
    usable = size >= 0x1p-900 && size <= 0x1p900;
    margin = 2048 * 0x1p-53 * size + 4 * (a.delta + b.delta);
  }

  /// The box around a box of B, in A's axes, not yet widened by `margin`.
  Box3 aligned(const Box3& b) const {
    Box3 box;
    for (int i = 0; i < 3; ++i) {
      box.lo[i] = box.hi[i] = offset[1][i];
      for (int j = 0; j < 3; ++j) {
        const double s = slope[1][j][i];
        box.lo[i] += s * (s > 0 ? b.lo[j] : b.hi[j]);
        box.hi[i] += s * (s > 0 ? b.hi[j] : b.lo[j]);
      }
    }
    return box;
  }
  Box3 widened(Box3 box) const {
    constexpr double inf = std::numeric_limits<double>::infinity();
    if (!usable) return {{-inf, -inf, -inf}, {inf, inf, inf}};
    for (int i = 0; i < 3; ++i) {
      box.lo[i] -= margin;
      box.hi[i] += margin;
    }
    return box;
  }

  double slope[2][3][3];  ///< [body][own axis][other body's axis]; body 0 is A
  double offset[2][3];
  double size;
  double margin;
  bool usable;

 private:
  static double largest(const Box3& box) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::max(std::fabs(box.lo[i]), std::fabs(box.hi[i]));
    return sum;
  }
};

}  // namespace graze::classic::zachmann
