// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "body/wide_tree.hpp"
#include "motion/path.hpp"

namespace graze::engine::first_contact {

/// How far the corners below each node are from what their body turns about, in units of the tree's own frame. A box
/// says so only up to its size: the box of a patch of a sphere that turns about its middle reaches beyond the sphere.
/// It takes a look at every corner, so it is made only in searches that turn out to be long.
///
/// All rounded outward. Corners are those in single precision, off by 2^-24 of the frame; the rounding of the axis and
/// of the computations here is below 2^-20 of the distances, and both are added.
struct TurnTable {
  TurnTable(const body::WideTree& tree, const motion::Path& path);

  std::vector<float> ball;            ///< by node: from the reference point
  std::vector<float> far, low, high;  ///< of a twist that turns: from the axis, and along it; else empty
};

}  // namespace graze::engine::first_contact
