// SPDX-License-Identifier: MIT
#include "engine/curved/surface_normal.hpp"

#include <cmath>

#include "math/vectors.hpp"
#include "shape/gap.hpp"
#include "shape/placed_core.hpp"

namespace graze::engine::curved {

namespace {

struct NearPoint {
  Vec3 at;
  Vec3 furthest(const Vec3&) const { return at; }
  Vec3 centre() const { return at; }
};

/// The side of a flat shape, along an axis, that a ray in this direction comes from.
Vec3 flat_side(int axis, const Vec3& towards) {
  Vec3 n;
  n[axis] = towards[axis] > 0 ? -1 : 1;
  return n;
}

Vec3 of_cylinder(const Vec3& half, const Vec3& p, const Vec3& towards) {
  if (half.z == 0) return flat_side(2, towards);
  const double out = length({p.x, p.y, 0});
  // How far the point is inside each of the surfaces; the nearer one holds it.
  if (half.z - std::fabs(p.z) <= half.x - out || out == 0) return {0, 0, p.z < 0 ? -1.0 : 1.0};
  return math::unit({p.x, p.y, 0});
}

Vec3 of_cone(const Vec3& half, const Vec3& p, const Vec3& towards) {
  if (half.z == 0) return flat_side(2, towards);
  const double out = length({p.x, p.y, 0}), slope = half.x / (2 * half.z);
  const double to_base = p.z + half.z, to_side = (slope * (half.z - p.z) - out) / length({1, slope, 0});
  if (to_base <= to_side) return {0, 0, -1};
  if (out == 0) return {0, 0, 1};  // the tip
  return math::unit({p.x / out, p.y / out, slope});
}

/// The gradient of x^2 / a^2 + y^2 / b^2 + z^2 / c^2.
Vec3 of_ellipsoid(const Vec3& half, const Vec3& p, const Vec3& towards) {
  for (int k = 0; k < 3; ++k)
    if (!(half[k] > 0)) return flat_side(k, towards);
  // Each coordinate in units of its half axis is at most about 1; the smallest half axis is the unit of the rest.
  const double least = std::min({half.x, half.y, half.z});
  Vec3 n;
  for (int k = 0; k < 3; ++k) n[k] = p[k] / half[k] * (least / half[k]);
  return math::unit(n);
}

Vec3 of_core(const shape::Core& core, const Vec3& p, const Vec3& towards) {
  switch (core.kind) {
    case shape::Core::Kind::cylinder: return of_cylinder(core.half, p, towards);
    case shape::Core::Kind::cone: return of_cone(core.half, p, towards);
    case shape::Core::Kind::ellipsoid: return of_ellipsoid(core.half, p, towards);
    default: return {};  // boxes and hulls that are not rounded have meshes
  }
}

}  // namespace

Vec3 surface_normal(const shape::Core& core, const Vec3& point, const Vec3& towards) {
  // Away from the nearest point of the core, as long as it is clearly apart from it.
  if (core.radius > 8 * shape::rounding) {
    if (core.kind == shape::Core::Kind::point) return math::unit(point);
    shape::PlacedCore placed;
    placed.core = &core;
    const shape::Gap gap = shape::find_gap(NearPoint{point}, placed, Vec3{}, math::infinity, 0, 1e-13);
    return math::unit(-gap.normal);
  }
  return of_core(core, point, towards);
}

}  // namespace graze::engine::curved
