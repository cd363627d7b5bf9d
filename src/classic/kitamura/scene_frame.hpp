// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <graze/math/box3.hpp>

#include "bvh/tree.hpp"

namespace graze::classic::kitamura {

/// Boxes of one scene in single precision, so that `bvh` trees can store them. Coordinates are scaled by a power of two
/// and shifted to the centre of the scene, so that bodies far from the origin keep their precision.
///
/// Proof that boxes that are apart here are apart: each coordinate is mapped by x -> float(clamp(x * scale - shift)),
/// and each of these steps, including rounding to nearest, is monotonic: x <= y is preserved. So if the end of one box
/// lies below the start of another here, it did before.
class SceneFrame {
 public:
  explicit SceneFrame(std::span<const Box3> boxes) {
    Box3 all;
    double largest = 0;
    for (const Box3& b : boxes)
      for (int k = 0; k < 3; ++k)
        for (const double x : {b.lo[k], b.hi[k]})
          if (std::isfinite(x)) {
            all.lo[k] = std::min(all.lo[k], x);
            all.hi[k] = std::max(all.hi[k], x);
            largest = std::max(largest, std::fabs(x));
          }
    int exponent = 0;
    std::frexp(largest, &exponent);
    scale_ = std::ldexp(1.0, std::clamp(-exponent, -1022, 1022));
    for (int k = 0; k < 3; ++k)
      if (all.lo[k] <= all.hi[k]) shift_[k] = all.lo[k] * scale_ / 2 + all.hi[k] * scale_ / 2;
  }

  bvh::BoxF map(const Box3& box) const {
    bvh::BoxF r;
    for (int k = 0; k < 3; ++k) {
      r.lo[k] = map(box.lo[k], k);
      r.hi[k] = map(box.hi[k], k);
    }
    return r;
  }

 private:
  float map(double x, int axis) const {
    constexpr double limit = 1e30;  // represents infinity: areas stay finite
    return static_cast<float>(std::clamp(x * scale_ - shift_[axis], -limit, limit));
  }

  double scale_ = 1;
  Vec3 shift_;
};

}  // namespace graze::classic::kitamura
