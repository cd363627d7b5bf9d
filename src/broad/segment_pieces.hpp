// SPDX-License-Identifier: MIT
#pragma once

#include "broad/segment.hpp"

namespace graze::broad {

/// Calls `visit(box)` for boxes that together hold the part of the segment that is in `world`, cut into `pieces` parts.
/// Every box within `world` that `Segment::meets` says yes to overlaps one of them.
template <class Visit>
void for_each_piece(const Segment& segment, const Box3& world, int pieces, Visit&& visit) {
  double from = 0, to = 0;
  if (!segment.clip(world, from, to)) return;
  if (!std::isfinite(to - from)) pieces = 1;
  for (int i = 0; i < pieces; ++i) {
    // Neighbouring parts share their ends exactly, the first begins at `from` and the last ends at `to`.
    const double s0 = i == 0 ? from : from + (to - from) * (static_cast<double>(i) / pieces);
    const double s1 = i + 1 == pieces ? to : from + (to - from) * (static_cast<double>(i + 1) / pieces);
    visit(segment.around(std::min(s0, s1), std::max(s0, s1)));
  }
}

}  // namespace graze::broad
