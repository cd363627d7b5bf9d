// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <graze/math/vec3.hpp>

#include "bv/float_bounds.hpp"

namespace graze::bv {

/// One direction of a k-DOP: every coordinate is -1, 0 or 1, so that projecting needs no multiplication.
struct Direction {
  int x, y, z;
};

/// The K/2 directions, box axes first: 6 has no others, 14 also the cube's diagonals, 18 its face diagonals, 26 both.
template <int K>
constexpr std::array<Direction, K / 2> kdop_directions() {
  static_assert(K == 6 || K == 14 || K == 18 || K == 26);
  constexpr Direction diagonals[] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
  constexpr Direction face_diagonals[] = {{1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};
  std::array<Direction, K / 2> d{};
  int n = 0;
  for (const Direction axis : {Direction{1, 0, 0}, Direction{0, 1, 0}, Direction{0, 0, 1}}) d[n++] = axis;
  if (K == 18 || K == 26) {
    for (const Direction f : face_diagonals) d[n++] = f;
  }
  if (K == 14 || K == 26) {
    for (const Direction c : diagonals) d[n++] = c;
  }
  return d;
}

/// The intersection of K/2 slabs, in floats rounded outward; empty until something is added. Touching counts as
/// overlapping.
template <int K>
struct KDop {
  static constexpr int directions = K / 2;
  static constexpr std::array<Direction, K / 2> direction = kdop_directions<K>();

  std::array<float, K / 2> lo;
  std::array<float, K / 2> hi;

  KDop() {
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
  }

  void add(const Vec3& p);
  void add(const KDop& other) {
    for (int k = 0; k < directions; ++k) {
      lo[k] = std::min(lo[k], other.lo[k]);
      hi[k] = std::max(hi[k], other.hi[k]);
    }
  }
  bool empty() const { return lo[0] > hi[0]; }
  bool overlaps(const KDop& other) const { return separating_direction(other) < 0; }
  /// The first direction along which the two are apart, or -1. Apart along one direction is a proof; the opposite is
  /// none.
  int separating_direction(const KDop& other) const {
    for (int k = 0; k < directions; ++k) {
      if (hi[k] < other.lo[k] || other.hi[k] < lo[k]) return k;
    }
    return -1;
  }
  bool contains(const KDop& other) const {
    for (int k = 0; k < directions; ++k) {
      if (other.lo[k] < lo[k] || hi[k] < other.hi[k]) return false;
    }
    return true;
  }
};

/// A sum of up to three coordinates is off by less than 2^-51 times the sum of their sizes; a sum that overflows is at
/// least the largest double, which `clamp` brings back to where the floats' own infinity takes over.
template <int K>
void KDop<K>::add(const Vec3& p) {
  constexpr double limit = std::numeric_limits<double>::max();
  for (int k = 0; k < directions; ++k) {
    const Direction d = direction[k];
    const double sum = std::clamp(d.x * p.x + d.y * p.y + d.z * p.z, -limit, limit);
    double slack = 0;
    if (k >= 3) slack = 0x1p-51 * (std::fabs(d.x * p.x) + std::fabs(d.y * p.y) + std::fabs(d.z * p.z));
    lo[k] = std::min(lo[k], float_below(sum - slack));
    hi[k] = std::max(hi[k], float_above(sum + slack));
  }
}

}  // namespace graze::bv
