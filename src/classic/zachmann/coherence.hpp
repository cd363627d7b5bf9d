// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/collide.hpp>

namespace graze {

struct CollideCoherence::State {
  /// The plane (normal, offset) that last separated the bodies, in A's frame: n . x > d for A, < d for B (Zachmann
  /// 3.4.2).
  struct Plane {
    Vec3 normal;
    double offset = 0;
  };
  std::optional<Plane> plane;
};

}  // namespace graze
