// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/pose.hpp>

namespace graze::bench {

/// A pose as the rounded matrix that most peers use: rows of the rotation. Computed before the clock starts.
struct Placement {
  std::array<std::array<double, 3>, 3> rotation{};
  Vec3 translation;
};

inline Placement placement(const Pose& pose) {
  const auto [w, x, y, z] = pose.rotation();
  const double s = 2 / (w * w + x * x + y * y + z * z);
  return {{{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
            {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
            {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}},
          pose.translation()};
}

}  // namespace graze::bench
