// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "math/vectors.hpp"

namespace graze::testing {

/// Random numbers that are the same with every standard library.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double operator()(double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  Vec3 in_cube(double size) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    return {x, y, z};
  }
  Vec3 direction() {
    while (true) {
      const Vec3 v = in_cube(1);
      if (const double d = dot(v, v); d > 0.01 && d < 1) return math::unit(v);
    }
  }
  std::array<double, 9> rotation() {
    const Vec3 x = direction(), z = math::unit(cross(x, direction())), y = cross(z, x);
    return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace graze::testing
