// SPDX-License-Identifier: MIT
#include "engine/deform/near/exact_signs.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "math/dyadic.hpp"
#include "math/expansion.hpp"

namespace graze::engine::deform {

namespace {

constexpr double least_normal = std::numeric_limits<double>::min();

using Difference = std::array<math::Expansion<2>, 3>;

Difference difference(const Arrow& a) {
  return {math::difference(a.to.x, a.from.x), math::difference(a.to.y, a.from.y), math::difference(a.to.z, a.from.z)};
}

/// Products of four differences of coordinates in this range neither overflow nor underflow: a difference is below
/// 2^201, and its last bit is at least 2^-252.
bool in_range(const Arrow& a) {
  for (int k = 0; k < 3; ++k)
    if (!math::in_expansion_range(a.from[k]) || !math::in_expansion_range(a.to[k])) return false;
  return true;
}

math::DyadicVec3 dyadic(const Arrow& a) { return math::DyadicVec3(a.to) - math::DyadicVec3(a.from); }

/// Component k of the cross product.
math::Expansion<16> component(const Difference& x, const Difference& y, std::size_t k) {
  const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
  return x[i] * y[j] - x[j] * y[i];
}

/// Bounds the products that a cross product's components are differences of.
Vec3 permanents(const Vec3& a, const Vec3& b) {
  return {std::fabs(a.y * b.z) + std::fabs(a.z * b.y), std::fabs(a.z * b.x) + std::fabs(a.x * b.z),
          std::fabs(a.x * b.y) + std::fabs(a.y * b.x)};
}

}  // namespace

/// Filter: a product of two differences has three roundings, its sum with the others two more, in all less than 5.01
/// eps of the sum of the products' sizes; the bound is 8 eps. What underflows is below the least normal number.
/// Infinity and NaN fail both comparisons.
int dot_sign(const Arrow& x, const Arrow& y) {
  const Vec3 u = x.to - x.from, v = y.to - y.from;
  const double value = dot(u, v);
  const double bound = 0x1p-50 * (std::fabs(u.x * v.x) + std::fabs(u.y * v.y) + std::fabs(u.z * v.z)) + least_normal;
  if (value > bound) return 1;
  if (value < -bound) return -1;
  if (in_range(x) && in_range(y)) {
    const Difference a = difference(x), b = difference(y);
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).sign();
  }
  return dot(dyadic(x), dyadic(y)).sign();
}

/// Filter: a component of a cross product has at most four roundings, relative to its permanent, a product of two of
/// them nine, the sum eleven: less than 11.1 eps of the sum of products of permanents; the bound is 16 eps. Products
/// that underflow in one cross product are off by less than 2^-1072, times the other one.
int crosses_sign(const Arrow& x, const Arrow& y, const Arrow& z, const Arrow& w) {
  const Vec3 a = x.to - x.from, b = y.to - y.from, c = z.to - z.from, d = w.to - w.from;
  const double value = dot(cross(a, b), cross(c, d));
  const Vec3 p = permanents(a, b), q = permanents(c, d);
  const double bound = 0x1p-49 * dot(p, q) + least_normal * (1 + (p.x + p.y + p.z) + (q.x + q.y + q.z));
  if (value > bound) return 1;
  if (value < -bound) return -1;
  if (in_range(x) && in_range(y) && in_range(z) && in_range(w)) {
    const Difference e = difference(x), f = difference(y), g = difference(z), h = difference(w);
    return (component(e, f, 0) * component(g, h, 0) + component(e, f, 1) * component(g, h, 1) +
            component(e, f, 2) * component(g, h, 2))
        .sign();
  }
  return dot(cross(dyadic(x), dyadic(y)), cross(dyadic(z), dyadic(w))).sign();
}

}  // namespace graze::engine::deform
