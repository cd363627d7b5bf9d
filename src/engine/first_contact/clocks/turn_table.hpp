// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "body/wide_tree.hpp"
#include "motion/path.hpp"

namespace graze::engine::first_contact {

/// Distances of the corners below each node from the axis or the reference point of their body, in units of the tree's
/// own frame. A box bounds these only up to its size: the box of a patch of a sphere that rotates about its centre
/// extends beyond the sphere. The table reads every corner, so it is made only in long searches.
///
/// All values are rounded outward. The corners are in single precision, off by 2^-24 of the frame. The rounding of the
/// axis and of the computations here is below 2^-20 of the distances. Both are added.
struct TurnTable {
  TurnTable(const body::WideTree& tree, const motion::Path& path);

  std::vector<float> ball;            ///< by node: from the reference point
  std::vector<float> far, low, high;  ///< of a twist that turns: from the axis, and along it; else empty
};

}  // namespace graze::engine::first_contact
