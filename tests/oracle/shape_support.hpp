// SPDX-License-Identifier: MIT
// Shapes by their support functions in long double, written from the definitions in graze/shape/shape.hpp alone: how
// far a placed shape reaches along a direction, and with which point. With the range of x87 numbers, any exponent of a
// double does.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include <graze/math/pose.hpp>
#include <graze/shape/shape.hpp>

namespace graze::oracle {

using Wide = long double;
using WideVec = std::array<Wide, 3>;

inline WideVec wide(const Vec3& v) { return {v.x, v.y, v.z}; }
inline WideVec operator+(const WideVec& a, const WideVec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline WideVec operator-(const WideVec& a, const WideVec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline WideVec operator*(Wide s, const WideVec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Wide wide_dot(const WideVec& a, const WideVec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Wide wide_length(const WideVec& a) { return std::sqrt(wide_dot(a, a)); }
inline Vec3 narrow(const WideVec& a) {
  return {static_cast<double>(a[0]), static_cast<double>(a[1]), static_cast<double>(a[2])};
}

struct WidePose {
  std::array<WideVec, 3> rows;
  WideVec shift;

  explicit WidePose(const Pose& pose) : shift(wide(pose.translation())) {
    const Quat& q = pose.rotation();
    const Wide most = std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
    Wide w = q.w / most, x = q.x / most, y = q.y / most, z = q.z / most;
    const Wide n = std::sqrt(w * w + x * x + y * y + z * z);
    w /= n, x /= n, y /= n, z /= n;
    rows = {WideVec{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            WideVec{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            WideVec{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  }
  WideVec turn(const WideVec& v) const { return {wide_dot(rows[0], v), wide_dot(rows[1], v), wide_dot(rows[2], v)}; }
  WideVec turn_back(const WideVec& v) const { return v[0] * rows[0] + v[1] * rows[1] + v[2] * rows[2]; }
  WideVec apply(const WideVec& v) const { return turn(v) + shift; }
};

/// The point of a shape, at its own origin, that is furthest along n, which must not be zero; not of a half-space.
struct FurthestPoint {
  WideVec n;

  static Wide side(Wide x, Wide of) { return x < 0 ? -of : of; }
  WideVec ring(Wide radius) const {
    const Wide size = std::sqrt(n[0] * n[0] + n[1] * n[1]);
    if (!(size > 0)) return {radius, 0, 0};
    return {radius * n[0] / size, radius * n[1] / size, 0};
  }
  WideVec ball(Wide radius) const { return (radius / wide_length(n)) * n; }

  WideVec operator()(const shape::Sphere& s) const { return ball(s.radius); }
  WideVec operator()(const shape::Capsule& c) const {
    return ball(c.radius) + WideVec{0, 0, side(n[2], Wide(c.length) / 2)};
  }
  WideVec operator()(const shape::Box& b) const {
    return {side(n[0], Wide(b.sides.x) / 2), side(n[1], Wide(b.sides.y) / 2), side(n[2], Wide(b.sides.z) / 2)};
  }
  WideVec operator()(const shape::Cylinder& c) const {
    return ring(c.radius) + WideVec{0, 0, side(n[2], Wide(c.height) / 2)};
  }
  WideVec operator()(const shape::Cone& c) const {
    const WideVec tip{0, 0, Wide(c.height) / 2}, base = ring(c.radius) - tip;
    return wide_dot(n, tip) > wide_dot(n, base) ? tip : base;
  }
  WideVec operator()(const shape::Ellipsoid& e) const {
    const WideVec scaled{e.half_axes.x * n[0], e.half_axes.y * n[1], e.half_axes.z * n[2]};
    const Wide size = wide_length(scaled);
    if (!(size > 0)) return {};
    return {e.half_axes.x * scaled[0] / size, e.half_axes.y * scaled[1] / size, e.half_axes.z * scaled[2] / size};
  }
  WideVec operator()(const shape::HalfSpace&) const { return {}; }
  WideVec operator()(const shape::Hull& h) const {
    WideVec best = wide(h.points[0]);
    for (const Vec3& p : h.points)
      if (wide_dot(n, wide(p)) > wide_dot(n, best)) best = wide(p);
    return best;
  }
};

/// The same of a placed shape, in the world.
inline WideVec furthest_point(const shape::Shape& shape, const WidePose& pose, const WideVec& n) {
  const WideVec own = pose.turn_back(n);
  const WideVec at = std::visit(FurthestPoint{own}, shape.kind) + (shape.rounding / wide_length(own)) * own;
  return pose.apply(at);
}

/// The gap of two placed shapes along n, from A to B; the largest over all n is their distance, if they are apart.
inline Wide gap_along(const shape::Shape& a, const WidePose& pose_a, const shape::Shape& b, const WidePose& pose_b,
                      const WideVec& n) {
  const WideVec back = Wide(-1) * n;
  return wide_dot(n, furthest_point(b, pose_b, back) - furthest_point(a, pose_a, n)) / wide_length(n);
}

}  // namespace graze::oracle
