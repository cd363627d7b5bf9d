// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include <graze/math/vec3.hpp>

namespace graze::math {

/// v by a power of two, so that its largest coordinate is in [1/2, 1): products of such vectors neither overflow nor
/// vanish. Zero and what is not finite become zero.
inline Vec3 of_size_one(const Vec3& v) {
  const double m = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  if (!(m > 0) || !is_finite(v)) return {};
  int e;
  std::frexp(m, &e);
  return {std::ldexp(v.x, -e), std::ldexp(v.y, -e), std::ldexp(v.z, -e)};
}

/// v / |v|, also where 1 / |v| is no double. Zero and what is not finite become zero.
inline Vec3 unit(const Vec3& v) {
  const Vec3 w = of_size_one(v);
  const double len = length(w);
  return len > 0 ? w * (1 / len) : Vec3{};
}

}  // namespace graze::math
