// SPDX-License-Identifier: MIT
#include "engine/ray/rounded_fraction.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <graze/math/interval.hpp>

#include "engine/ray/precise.hpp"
#include "math/quat_size.hpp"

namespace graze::engine::ray {

namespace {

using math::BoundedDoubleDouble;

/// |q|^2 R(q / |q|) and |q|^2. Scaling q by a power of two scales both, and with them every height below, equally;
/// components of q that become subnormal lose less than 2^-1070.
struct PreciseRotation {
  std::array<BoundedDoubleDouble, 9> m;
  BoundedDoubleDouble norm;

  explicit PreciseRotation(const Quat& rotation) {
    const Quat q = math::near_unit_size(rotation);
    const auto part = [](double x) { return BoundedDoubleDouble(x, x == 0 ? 0 : 0x1p-1070); };
    const BoundedDoubleDouble w = part(q.w), x = part(q.x), y = part(q.y), z = part(q.z), two(2);
    const BoundedDoubleDouble ww = w * w, xx = x * x, yy = y * y, zz = z * z;
    const BoundedDoubleDouble wx = w * x, wy = w * y, wz = w * z, xy = x * y, xz = x * z, yz = y * z;
    m = {ww + xx - (yy + zz), two * (xy - wz), two * (xz + wy), two * (xy + wz),    ww + yy - (xx + zz),
         two * (yz - wx),     two * (xz - wy), two * (yz + wx), ww + zz - (xx + yy)};
    norm = (ww + xx) + (yy + zz);
  }

  /// norm times the point in the body's frame; `from_origin`: the vector from the frame's origin to the point, in the
  /// world.
  PrecisePoint to_frame(const PrecisePoint& from_origin) const {
    PrecisePoint out;
    for (std::size_t i = 0; i < 3; ++i)
      out[i] = m[i] * from_origin[0] + m[3 + i] * from_origin[1] + m[6 + i] * from_origin[2];
    return out;
  }
};

/// Coordinates in units of a power of two, so that the largest of all is in [1/2, 1): no product of the few factors
/// below overflows or underflows. Values that become subnormal lose less than 2^-1070.
class CommonScale {
 public:
  explicit CommonScale(std::initializer_list<Vec3> points) {
    double largest = 0;
    for (const Vec3& p : points) largest = std::max({largest, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    std::frexp(largest, &exponent_);
  }
  Vec3 operator()(const Vec3& p) const {
    return {std::ldexp(p.x, -exponent_), std::ldexp(p.y, -exponent_), std::ldexp(p.z, -exponent_)};
  }
  static constexpr double error = 0x1p-1070;

 private:
  int exponent_ = 0;
};

PrecisePoint precise_difference(const Vec3& a, const Vec3& b) {
  PrecisePoint out;
  for (int k = 0; k < 3; ++k) {
    BoundedDoubleDouble& d = out[static_cast<std::size_t>(k)];
    d = math::exact_difference(a[k], b[k]);
    d.error = 2 * CommonScale::error;
  }
  return out;
}

/// The double nearest to x / sum, both positive, if that is certain.
std::optional<double> nearest_quotient(const BoundedDoubleDouble& x, const BoundedDoubleDouble& sum) {
  double r = x.hi / sum.hi;
  // x - r sum, computed twice: the first corrects r to the nearest double or its neighbour, the second proves the
  // result.
  const auto rest = [&] { return x - BoundedDoubleDouble(r) * sum; };
  r += rest().hi / sum.hi;
  if (!(r >= 0x1p-900 && r <= 1)) return std::nullopt;
  const BoundedDoubleDouble left = rest();
  // x / sum is r + left / sum. It rounds to r if it is nearer than half of the gap to the next double on its side; gaps
  // are powers of two, and the sum is at least sum.hi - its rounding and error.
  const double gap = left.hi > 0 ? next_up(r) - r : r - next_down(r);
  const double least_sum = (sum.hi * (1 - 0x1p-50) - sum.error) * (1 - 0x1p-50);
  if (!((std::fabs(left.hi) * (1 + 0x1p-50) + left.error) * (1 + 0x1p-50) < 0.5 * gap * least_sum)) return std::nullopt;
  return r;
}

}  // namespace

std::optional<double> rounded_fraction(const Pose& pose, const Vec3& from, const Vec3& to,
                                       const std::array<Vec3, 3>& corners) {
  const Vec3& origin = pose.translation();
  const CommonScale scaled{from, to, origin, corners[0], corners[1], corners[2]};
  const PreciseRotation rotation(pose.rotation());
  const auto corner = [&](std::size_t i) {
    const PrecisePoint p = precise_difference(scaled(corners[i]), Vec3());
    return PrecisePoint{rotation.norm * p[0], rotation.norm * p[1], rotation.norm * p[2]};
  };
  const auto end = [&](const Vec3& p) { return rotation.to_frame(precise_difference(scaled(p), scaled(origin))); };
  const PrecisePoint a = corner(0), n = cross(corner(1) - a, corner(2) - a);
  // Heights of the ends above the plane; the segment meets the triangle, so these have opposite signs, or one is zero.
  BoundedDoubleDouble before = dot(n, end(from) - a), behind = dot(n, end(to) - a);
  if (before.hi < 0) before = -before, behind = -behind;
  const BoundedDoubleDouble sum = before - behind;
  // If a height's sign is not certain, the fraction is too near to 0 or 1, or the segment lies in the plane.
  if (!(before.hi > 2 * before.error && -behind.hi > 2 * behind.error)) return std::nullopt;
  return nearest_quotient(before, sum);
}

}  // namespace graze::engine::ray
