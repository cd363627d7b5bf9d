// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/pose.hpp>

#include "math/double_double.hpp"

namespace graze::math {

/// Points of B in A's own frame, Ra^T (Rb x + tb - ta), as `RelativePlacement` places them, to twice a double's length:
/// between its rounded coordinates and its exact ones.
class SharpPlacement {
 public:
  SharpPlacement(const Pose& a, const Pose& b);

  DoubleDoubleVec3 place(const Vec3& x) const {
    const auto row = [&](std::size_t i, const DoubleDouble& t) {
      return m_[i] * x.x + m_[i + 1] * x.y + m_[i + 2] * x.z + t;
    };
    return {row(0, t_.x), row(3, t_.y), row(6, t_.z)};
  }
  /// No coordinate of place(x) is further than this from the exact one, for coordinates and shifts between 2^-200 and
  /// 2^200 or zero. The steps are those of `RelativePlacement`, where each rounds by at most u = 2^-53 and coordinates
  /// come out within 100 u; here each rounds by at most 15 u^2: 1500 u^2 < 2^-95.
  double error(const Vec3& x) const { return 0x1p-95 * (std::fabs(x.x) + std::fabs(x.y) + std::fabs(x.z) + shift_); }
  /// |tb - ta| in the 1-norm, about.
  double shift() const { return shift_; }

 private:
  std::array<DoubleDouble, 9> m_;
  DoubleDoubleVec3 t_;
  double shift_;
};

}  // namespace graze::math
