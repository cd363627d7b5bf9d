// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "math/placed_points.hpp"

namespace graze::math {

/// The same predicates as PlacedPoints, for points whose placed coordinates are small integer multiples of one power of
/// two: grids, stacked boxes, axis-aligned scenes in general. Then 64-bit integers decide every sign directly, zeros
/// included.
class WholePoints {
 public:
  using Int3 = std::array<std::int64_t, 3>;
  /// Sets point i, in any unit common to all points. Coordinates are at most 2^19 in magnitude, so that determinants of
  /// three differences stay below 2^63.
  void set(int i, const Int3& x) {
    at_[static_cast<std::size_t>(i)] = x;
    known_ &= ~(1u << (i / 3));
  }
  /// The normal of points `first` to `first` + 2, where `first` is a multiple of 3; cached until one of them is set.
  const Int3& plane(int first) {
    const unsigned which = static_cast<unsigned>(first) / 3;
    if (!(known_ >> which & 1)) {
      planes_[which] = normal(first, first + 1, first + 2);
      known_ |= 1u << which;
    }
    return planes_[which];
  }

  /// In those units.
  Vec3 approx(int i) const {
    return {static_cast<double>(at_[i][0]), static_cast<double>(at_[i][1]), static_cast<double>(at_[i][2])};
  }
  int orient3d(int a, int b, int c, int d) const { return side(normal(a, b, c), a, d); }
  /// (b - a) x (c - a)
  Int3 normal(int a, int b, int c) const {
    const Int3 &o = at_[a], &p = at_[b], &q = at_[c];
    const std::int64_t ux = p[0] - o[0], uy = p[1] - o[1], uz = p[2] - o[2];
    const std::int64_t vx = q[0] - o[0], vy = q[1] - o[1], vz = q[2] - o[2];
    return {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
  }
  /// On which side of the plane through point a with that normal is point d?
  int side(const Int3& n, int a, int d) const { return sign(height(n, a, d)); }
  int orient2d(int axis, int a, int b, int c) const { return sign(area(axis, a, b, c)); }
  /// As in PlacedPoints.
  double share_before_plane(int e0, int e1, int a, int b, int c) const {
    const Int3 n = normal(a, b, c);
    return share(height(n, a, e0), height(n, a, e1));
  }
  double share_before_line(int axis, int e0, int e1, int c, int d) const {
    return share(area(axis, c, d, e0), area(axis, c, d, e1));
  }
  int compare(int axis, int a, int b) const {
    return sign(at_[b][static_cast<std::size_t>(axis)] - at_[a][static_cast<std::size_t>(axis)]);
  }
  const Int3& at(int i) const { return at_[static_cast<std::size_t>(i)]; }
  bool equal(int a, int b) const { return at_[a] == at_[b]; }
  bool collinear(int a, int b, int c) const {
    return orient2d(0, a, b, c) == 0 && orient2d(1, a, b, c) == 0 && orient2d(2, a, b, c) == 0;
  }

  static int sign(std::int64_t x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

 private:
  std::int64_t height(const Int3& n, int a, int d) const {
    const Int3 &o = at_[a], &r = at_[d];
    return n[0] * (r[0] - o[0]) + n[1] * (r[1] - o[1]) + n[2] * (r[2] - o[2]);
  }
  std::int64_t area(int axis, int a, int b, int c) const {
    const std::size_t u = axis == 2 ? 0 : static_cast<std::size_t>(axis + 1),
                      v = axis == 0 ? 2 : static_cast<std::size_t>(axis - 1);
    return (at_[b][u] - at_[a][u]) * (at_[c][v] - at_[a][v]) - (at_[b][v] - at_[a][v]) * (at_[c][u] - at_[a][u]);
  }
  /// x / (x - y) of two numbers of opposite signs: each is rounded once, and there is no cancellation.
  static double share(std::int64_t x, std::int64_t y) {
    const double size = std::fabs(static_cast<double>(x));
    return size / (size + std::fabs(static_cast<double>(y)));
  }

  std::array<Int3, PlacedPoints::capacity> at_;
  std::array<Int3, (PlacedPoints::capacity + 2) / 3> planes_;
  unsigned known_ = 0;  // bit i: planes_[i] is valid
};

}  // namespace graze::math
