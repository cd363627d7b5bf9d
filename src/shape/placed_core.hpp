// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "math/vectors.hpp"
#include "shape/core.hpp"

namespace graze::shape {

/// A core in its own frame, with its lengths times `scale`, a power of two.
struct OwnCore {
  const Core* core = nullptr;
  double scale = 1;

  Vec3 furthest(const Vec3& n) const { return core->furthest(n) * scale; }
  Vec3 centre() const { return core->at_place({}) * scale; }
};

/// A core at a place, with its lengths times `scale`, a power of two: a local point x is at r (scale x) + t (r row by
/// row), rounded.
struct PlacedCore {
  const Core* core = nullptr;
  std::array<double, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 t;
  double scale = 1;

  Vec3 to_local(const Vec3& n) const {
    return {r[0] * n.x + r[3] * n.y + r[6] * n.z, r[1] * n.x + r[4] * n.y + r[7] * n.z,
            r[2] * n.x + r[5] * n.y + r[8] * n.z};
  }
  Vec3 furthest(const Vec3& n) const { return math::turned(r, core->furthest(to_local(n)) * scale) + t; }
  Vec3 centre() const { return core->in_own_place() ? t : math::turned(r, core->at_place({}) * scale) + t; }
};

/// The convex hull of three corners.
struct TriangleCore {
  std::array<Vec3, 3> corners;

  Vec3 furthest(const Vec3& n) const { return corners[static_cast<std::size_t>(furthest_index(n))]; }
  int furthest_index(const Vec3& n) const {
    const double d[3] = {dot(n, corners[0]), dot(n, corners[1]), dot(n, corners[2])};
    return d[1] > d[0] ? (d[2] > d[1] ? 2 : 1) : (d[2] > d[0] ? 2 : 0);
  }
  Vec3 centre() const { return corners[0]; }
};

/// An axis-aligned box.
struct BoxCore {
  Vec3 lo, hi;

  Vec3 furthest(const Vec3& n) const { return {n.x < 0 ? lo.x : hi.x, n.y < 0 ? lo.y : hi.y, n.z < 0 ? lo.z : hi.z}; }
  Vec3 centre() const { return (lo + hi) * 0.5; }
};

}  // namespace graze::shape
