// SPDX-License-Identifier: MIT
#include "engine/distance/swept.hpp"

#include <cmath>
#include <limits>

#include "core/counter_sum.hpp"
#include "engine/distance/tree_distance.hpp"
#include "math/quat_size.hpp"
#include "math/rotation_matrix.hpp"
#include "math/vectors.hpp"

namespace graze::engine::distance {

bool apart_while_swept(double d, const body::BodyData& a, const Pose& pose_a, const body::BodyData& b,
                       const Pose& pose_b, const Vec3& way, Counters& counters) {
  const DistanceQuery q{a, b, pose_a, pose_b, math::RelativePlacement(pose_a, pose_b)};
  const body::TreeFrame frame(q.placement, a.tree, b.tree);
  const double size = length(way);
  if (!frame.usable || !(std::ldexp(size, -a.tree.frame.exponent) <= 0x1p20)) return false;
  // The way in A's frame is rounded by less than 2^-46 of its length, by which no point is farther from the other body.
  const std::array<double, 9> r = math::rotation_matrix(math::near_unit_size(pose_a.rotation()));
  UpperBound bound((d + 0x1p-45 * size) * (1 + 0x1p-50));
  DistanceArena arena;
  Candidates all(q, bound, -1, arena.get());
  all.sweep({r[0] * way.x + r[3] * way.y + r[6] * way.z, r[1] * way.x + r[4] * way.y + r[7] * way.z,
             r[2] * way.x + r[5] * way.y + r[8] * way.z});
  all.direction = q.placement.place(b.tree.frame.centre) - a.tree.frame.centre;  // until there is a better one
  DistancePairs stack(arena.get());
  stack.reserve(512);
  stack.push_back({0, 0, 0});
  traverse_distance(q, frame, stack, std::numeric_limits<std::uint64_t>::max(), all);
  counters += all.counters;
  return bound.get() >= 0;
}

}  // namespace graze::engine::distance
