// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "shape/gap.hpp"
#include "shape/placed_core.hpp"

namespace graze::engine::curved {

/// The distance of a point from a triangle, from a box: what `find_gap` finds, in one step.
inline shape::Gap point_gap(const shape::TriangleCore& triangle, const Vec3& point) {
  shape::Gap gap;
  for (const Vec3& corner : triangle.corners) gap.simplex.add(corner, point);
  bool inside = false;
  const Vec3 v = gap.simplex.reduce(inside);
  gap.upper = math::norm(v);
  gap.iterations = 1;
  if (!(gap.upper > 0x1p-40)) return gap;
  // The normal of a thin triangle may be off by more than the way to its nearest point.
  for (const Vec3& n : {gap.simplex.direction(v, gap.upper), v * (1 / gap.upper)})
    gap.look_along(n, dot(n, point - triangle.furthest(n)));
  return gap;
}

inline shape::Gap point_gap(const shape::BoxCore& box, const Vec3& point) {
  shape::Gap gap;
  Vec3 nearest;
  for (int k = 0; k < 3; ++k) nearest[k] = std::clamp(point[k], box.lo[k], box.hi[k]);
  gap.simplex.add(nearest, point);
  gap.simplex.weight[0] = 1;
  const Vec3 v = point - nearest;
  gap.upper = math::norm(v);
  gap.iterations = 1;
  if (!(gap.upper > 0)) {
    gap.overlap = true;
    return gap;
  }
  gap.normal = v * (1 / gap.upper);
  gap.lower = dot(gap.normal, point - box.furthest(gap.normal));
  return gap;
}

}  // namespace graze::engine::curved
