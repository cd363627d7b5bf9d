// SPDX-License-Identifier: MIT
#include "math/sharp_placement.hpp"

#include "math/quat_size.hpp"

namespace graze::math {

namespace {

struct SharpQuat {
  DoubleDouble w, x, y, z;
};

/// Rows of R(q / |q|), for |q|^2 in [1/16, 16].
std::array<DoubleDouble, 9> sharp_matrix(const SharpQuat& q) {
  const DoubleDouble xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const DoubleDouble wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const DoubleDouble s = DoubleDouble(2) / (q.w * q.w + xx + yy + zz), one(1);
  return {one - s * (yy + zz), s * (xy - wz), s * (xz + wy), s * (xy + wz),      one - s * (xx + zz),
          s * (yz - wx),       s * (xz - wy), s * (yz + wx), one - s * (xx + yy)};
}

DoubleDouble sum_of_products(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  return exact_product(a[0], b[0]) + exact_product(a[1], b[1]) +
         (exact_product(a[2], b[2]) + exact_product(a[3], b[3]));
}

/// conj(a) * b.
SharpQuat sharp_relative(const Quat& a, const Quat& b) {
  const std::array<double, 4> q{b.w, b.x, b.y, b.z};
  return {sum_of_products({a.w, a.x, a.y, a.z}, q), sum_of_products({-a.x, a.w, a.z, -a.y}, q),
          sum_of_products({-a.y, -a.z, a.w, a.x}, q), sum_of_products({-a.z, a.y, -a.x, a.w}, q)};
}

}  // namespace

SharpPlacement::SharpPlacement(const Pose& a, const Pose& b) {
  // Components in [-1, 1), the largest at least 1/2: |q|^2 in [1/4, 4], and of their product in [1/16, 16].
  const Quat qa = near_unit_size(a.rotation()), qb = near_unit_size(b.rotation());
  m_ = sharp_matrix(sharp_relative(qa, qb));
  const auto difference = [&](int k) { return exact_sum(b.translation()[k], -a.translation()[k]); };
  const DoubleDoubleVec3 d(difference(0), difference(1), difference(2));
  shift_ = std::fabs(d.x.hi) + std::fabs(d.y.hi) + std::fabs(d.z.hi);
  const std::array<DoubleDouble, 9> r = sharp_matrix({qa.w, qa.x, qa.y, qa.z});
  const auto turn = [&](std::size_t i) { return r[i] * d.x + r[3 + i] * d.y + r[6 + i] * d.z; };
  t_ = {turn(0), turn(1), turn(2)};
}

}  // namespace graze::math
