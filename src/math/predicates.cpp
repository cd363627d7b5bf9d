// SPDX-License-Identifier: MIT
#include "math/predicates.hpp"

#include <limits>

#include "math/dyadic.hpp"
#include "math/expansion.hpp"

namespace graze::math {

namespace {

int orient2d_expansion(double ax, double ay, double bx, double by, double cx, double cy) {
  return (difference(bx, ax) * difference(cy, ay) - difference(by, ay) * difference(cx, ax)).sign();
}

int orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy) {
  const Dyadic x(ax), y(ay);
  return ((Dyadic(bx) - x) * (Dyadic(cy) - y) - (Dyadic(by) - y) * (Dyadic(cx) - x)).sign();
}

}  // namespace

int orient3d_expansion(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // Axis-aligned input: all four points have the same x, y or z. Then the determinant has a zero column.
  if ((a.x == b.x && a.x == c.x && a.x == d.x) || (a.y == b.y && a.y == c.y && a.y == d.y) ||
      (a.z == b.z && a.z == c.z && a.z == d.z))
    return 0;
  const auto ux = difference(b.x, a.x), uy = difference(b.y, a.y), uz = difference(b.z, a.z);
  const auto vx = difference(c.x, a.x), vy = difference(c.y, a.y), vz = difference(c.z, a.z);
  const auto wx = difference(d.x, a.x), wy = difference(d.y, a.y), wz = difference(d.z, a.z);
  const auto x = (uy * vz - uz * vy) * wx;
  const auto y = (uz * vx - ux * vz) * wy;
  const auto z = (ux * vy - uy * vx) * wz;
  return ((x + y) + z).sign();
}

int orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  const double l = (bx - ax) * (cy - ay), r = (by - ay) * (cx - ax);
  const double det = l - r;
  // Two differences and a product for each term: relative error below 3.1 units of 2^-53 per term, one more for the
  // subtraction (Shewchuk's bound A is (3 + 16 eps) eps); DBL_MIN covers products that underflow. NaN and infinity fail
  // the comparisons and fall through.
  const double bound = 0x1p-51 * (std::fabs(l) + std::fabs(r)) + std::numeric_limits<double>::min();
  if (det > bound) return 1;
  if (det < -bound) return -1;
  // Axis-aligned input: a difference of equal numbers is exactly zero, and therefore both products are.
  if ((bx == ax || cy == ay) && (by == ay || cx == ax)) return 0;
  for (const double x : {ax, ay, bx, by, cx, cy})
    if (!in_expansion_range(x)) return orient2d_exact(ax, ay, bx, by, cx, cy);
  return orient2d_expansion(ax, ay, bx, by, cx, cy);
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (const int sign = orient3d_filter(a, b, c, d, 0)) return sign;
  for (const Vec3& p : {a, b, c, d})
    for (int i = 0; i < 3; ++i)
      if (!in_expansion_range(p[i])) return orient3d(DyadicVec3(a), DyadicVec3(b), DyadicVec3(c), DyadicVec3(d));
  return orient3d_expansion(a, b, c, d);
}

}  // namespace graze::math
