// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/tree.hpp"

namespace graze::engine::deform {

/// The expected number of children that a query which reaches the node does not enter. ICCD's metric (VI.B) with areas
/// instead of volumes: the volume of a flat part is zero for every split.
///
/// Range. Boxes are those of `sweep_boxes`, below 2^25, or of the nodes of a DopTree, below 2^26; neither NaN nor
/// infinity. Areas are below 3 * 2^54. A child's box is part of its parent's; differences, products and sums of
/// non-negative numbers are rounded monotonically, so a child's area is at most its parent's and the quotient at most
/// 2, also if areas are subnormal. An area that underflows to 0 gives 0, as for a flat node. So the result is from 0 to
/// 2, never NaN. It only decides whether a part of the tree is built again, never an answer.
inline float culling(const bvh::BoxF& node, const bvh::BoxF& left, const bvh::BoxF& right) {
  const auto area = [](const bvh::BoxF& b) {
    const float x = b.hi[0] - b.lo[0], y = b.hi[1] - b.lo[1], z = b.hi[2] - b.lo[2];
    return x * y + y * z + z * x;
  };
  const float whole = area(node);
  const float c = whole > 0 ? 2 - (area(left) + area(right)) / whole : 0;
  return c >= 0 ? c : 0;
}

}  // namespace graze::engine::deform
