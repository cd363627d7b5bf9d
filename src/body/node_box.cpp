// SPDX-License-Identifier: MIT
#include "body/node_box.hpp"

#include <cmath>

#include "math/vectors.hpp"

namespace graze::body {

NodeBox node_box(const WideTree& tree, const bvh::WideNode& node, int child) {
  const double unit = std::ldexp(1.0, tree.frame.exponent);
  const double far = math::scaled_length(tree.frame.centre);
  NodeBox box;
  for (int k = 0; k < 3; ++k) {
    const double lo = child < 0 ? 0 : node.lo[k][child], hi = child < 0 ? 255 : node.hi[k][child];
    box.centre[k] = tree.frame.centre[k] + unit * (node.origin[k] + 0.5 * node.scale[k] * (lo + hi));
    // Corners were rounded to single precision in the body's frame, and bounds are decoded with three roundings: off by
    // 4 u there (motion_frame.hpp); and the centre by a few roundings of its own size.
    box.half[k] = unit * (0.5 * node.scale[k] * (hi - lo) + 0x1p-22) * (1 + 0x1p-50) + 0x1p-50 * far;
  }
  box.radius = math::scaled_length(box.half) * (1 + 0x1p-49);
  return box;
}

}  // namespace graze::body
