// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

namespace graze::broad {

/// Not above the distance of the point from anything in the box: differences, squares, sums and the root are rounded by
/// less than 8 eps in all.
inline double distance_below(const Box3& box, const Vec3& p) {
  constexpr double most = std::numeric_limits<double>::max();  // differences overflow
  Vec3 gap;
  for (int k = 0; k < 3; ++k) gap[k] = std::clamp(std::max(box.lo[k] - p[k], p[k] - box.hi[k]), 0.0, most);
  return std::min(length(gap) * (1 - 0x1p-49), most);
}

/// A body or a node, and a bound of its distance. The standard heap has the least bound on top, then the least id.
struct AtDistance {
  double bound;
  std::uint32_t id;
  bool is_body = true;
  friend bool operator<(const AtDistance& x, const AtDistance& y) {
    return std::tie(x.bound, x.is_body, x.id) > std::tie(y.bound, y.is_body, y.id);
  }
};

}  // namespace graze::broad
