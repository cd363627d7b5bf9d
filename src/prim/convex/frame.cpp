// SPDX-License-Identifier: MIT
#include "prim/convex/frame.hpp"

#include "math/vectors.hpp"

namespace graze::prim {

namespace {

using math::norm;

/// The range of sizes in which every product of up to six lengths is a normal number.
constexpr double smallest = 0x1p-100, largest = 0x1p100;

double squared(const Quat& q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
bool in_range(double x) { return x >= smallest && x <= largest; }

/// The same rotation by a quaternion scaled so that nothing overflows; powers of two do not change other bits.
Quat tamed(const Quat& q) {
  if (in_range(squared(q))) return q;
  const double m = std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
  const int e = std::ilogb(m);
  return {std::ldexp(q.w, -e), std::ldexp(q.x, -e), std::ldexp(q.y, -e), std::ldexp(q.z, -e)};
}

std::array<double, 9> matrix(const Quat& q) {
  const double s = 2 / squared(q);
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {1 - s * (yy + zz), s * (xy - wz), s * (xz + wy), s * (xy + wz),    1 - s * (xx + zz),
          s * (yz - wx),     s * (xz - wy), s * (yz + wx), 1 - s * (xx + yy)};
}

/// conj(a) * b.
Quat relative(const Quat& a, const Quat& b) {
  return {a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
          a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
}

}  // namespace

ConvexFrame::ConvexFrame(const Pose& pose_a, const ConvexPoints& a, const Pose& pose_b, const ConvexPoints& b) {
  const Quat qa = tamed(pose_a.rotation()), qb = tamed(pose_b.rotation());
  ra = matrix(qa);
  r = matrix(relative(qa, qb));
  const Vec3 d = pose_b.translation() - pose_a.translation();
  const Vec3 turned{ra[0] * d.x + ra[3] * d.y + ra[6] * d.z, ra[1] * d.x + ra[4] * d.y + ra[7] * d.z,
                    ra[2] * d.x + ra[5] * d.y + ra[8] * d.z};
  t = {0, 0, 0};
  t = place(b.centre()) + turned - a.centre();
  const double shift = norm(d), centre_a = norm(a.centre()), centre_b = norm(b.centre());
  const double size = a.radius() + b.radius() + shift + centre_a + centre_b;
  usable = a.radius() >= smallest && b.radius() >= smallest && size <= largest;
  slack = 0x1p-53 * (192 * b.radius() + 72 * centre_b + 56 * shift + 16 * centre_a + 16 * a.radius());
}

}  // namespace graze::prim
