// SPDX-License-Identifier: MIT
#include "math/composed.hpp"

#include <cmath>

#include "math/quat_size.hpp"

namespace graze::math {

Pose composed(const Pose& parent, const Pose& local) {
  const Quat p = parent.rotation();
  if (p.x == 0 && p.y == 0 && p.z == 0) return Pose(parent.translation() + local.translation(), local.rotation());
  const Quat a = near_unit_size(p), b = near_unit_size(local.rotation());
  Quat q{a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
         a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  // Normalise, so that a long chain of frames neither overflows nor underflows.
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  q = {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
  return Pose(parent.apply(local.translation()), q);
}

}  // namespace graze::math
