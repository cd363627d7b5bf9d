// SPDX-License-Identifier: MIT
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include <graze/math/vec3.hpp>

#include "bv/oriented_box.hpp"

namespace graze::testing {

using Exact = boost::multiprecision::cpp_rational;

inline Exact det(const Vec3& a, const Vec3& b, const Exact (&c)[3]) {
  return c[0] * (Exact(a.y) * b.z - Exact(a.z) * b.y) + c[1] * (Exact(a.z) * b.x - Exact(a.x) * b.z) +
         c[2] * (Exact(a.x) * b.y - Exact(a.y) * b.x);
}

/// By Cramer's rule, in rational numbers.
inline bool contains_exactly(const bv::OrientedBox& box, const Vec3& p) {
  const Exact d[3] = {Exact(p.x) - box.centre.x, Exact(p.y) - box.centre.y, Exact(p.z) - box.centre.z};
  const Vec3* a = box.axis;
  const Exact last[3] = {a[2].x, a[2].y, a[2].z};
  const Exact whole = det(a[0], a[1], last);
  const Exact s[3] = {det(a[1], a[2], d) / whole, det(a[2], a[0], d) / whole, det(a[0], a[1], d) / whole};
  for (int k = 0; k < 3; ++k) {
    if (std::isinf(box.half[k])) continue;
    if (abs(s[k]) > Exact(box.half[k])) return false;
  }
  return true;
}

}  // namespace graze::testing
