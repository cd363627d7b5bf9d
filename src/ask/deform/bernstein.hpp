// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include <graze/math/vec3.hpp>

#include "engine/deform/paths/vertex_paths.hpp"

namespace graze {

/// The coefficients of a polynomial on [0, 1] in Bernstein form.
using Bernstein = std::array<double, engine::deform::path_degree + 1>;

/// The first time at which the lower convex hull of Bernstein coefficients, below which the polynomial never is, falls
/// to `level`; 2: never.
inline double first_fall(const Bernstein& b, std::size_t degree, double level) {
  double time = 2;
  for (std::size_t k = 1; k <= degree; ++k)
    for (std::size_t j = 0; j < k && b[k] < level; ++j)
      if (b[j] >= level)
        time = std::min(time, (static_cast<double>(j) + (b[j] - level) / (b[j] - b[k]) * static_cast<double>(k - j)) /
                                  static_cast<double>(degree));
  return time;
}

/// Where a path is at t.
inline Vec3 bernstein_at(std::span<const Vec3> control, double t) {
  std::array<Vec3, engine::deform::path_degree + 1> p{};
  std::copy(control.begin(), control.end(), p.begin());
  for (std::size_t r = 1; r < control.size(); ++r)
    for (std::size_t k = 0; k + r < control.size(); ++k) p[k] = p[k] + (p[k + 1] - p[k]) * t;
  return p[0];
}

}  // namespace graze
