// SPDX-License-Identifier: MIT
#include "bv/normal_cone.hpp"

#include <algorithm>
#include <cmath>

#include <graze/math/interval.hpp>

#include "math/vectors.hpp"

namespace graze::bv {
namespace {

using math::largest;

struct IntervalVec {
  Interval x, y, z;
};

/// A power of two that brings the triangle's edges near 1, so that the squares of its normal stay in range.
double scale_for(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double edge = std::max(largest(0.25 * b - 0.25 * a), largest(0.25 * c - 0.25 * a));
  return edge == 0 ? 1.0 : std::scalbn(1.0, std::clamp(-std::ilogb(edge), -1000, 1000));
}

/// (a - b) scale. The products are exact unless they underflow, and enclosed if they do.
IntervalVec difference(const Vec3& a, const Vec3& b, double scale) {
  const auto along = [scale](double x, double y) { return Interval(x) * scale - Interval(y) * scale; };
  return {along(a.x, b.x), along(a.y, b.y), along(a.z, b.z)};
}

IntervalVec cross(const IntervalVec& a, const IntervalVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Interval square_length(const IntervalVec& v) { return sqr(v.x) + sqr(v.y) + sqr(v.z); }

/// Brought near length 1 by a power of two, so that squares neither overflow nor vanish. Components that underflow on
/// the way move the direction: `exact` says whether any did.
Vec3 near_unit(const Vec3& v, bool& exact) {
  const int down = -std::ilogb(largest(v));
  const Vec3 u{std::scalbn(v.x, down), std::scalbn(v.y, down), std::scalbn(v.z, down)};
  exact = Vec3{std::scalbn(u.x, -down), std::scalbn(u.y, -down), std::scalbn(u.z, -down)} == v;
  return u;
}

IntervalVec to_interval(const Vec3& v) { return {Interval(v.x), Interval(v.y), Interval(v.z)}; }

/// The cosine of the angle between two directions.
Interval cosine_between(const Vec3& a, const Vec3& b) {
  const IntervalVec u = to_interval(a), v = to_interval(b);
  const Interval product = u.x * v.x + u.y * v.y + u.z * v.z;
  return intersection(product / sqrt(square_length(u) * square_length(v)), {-1.0, 1.0});
}

Interval sine_from(const Interval& cosine) { return sqrt(Interval(1.0) - sqr(cosine)); }

/// A lower bound of the cosine of the angle to `axis` within which all of the cone lies; 0 or less: no use.
double cosine_needed(const NormalCone& cone, const Vec3& axis) {
  if (cone.axis == axis) return cone.cosine;
  const Interval between = cosine_between(axis, cone.axis);
  if (!(between.lo > 0)) return 0;
  // cos(x + y), both below a right angle, so that it falls as either angle grows.
  const Interval half(cone.cosine);
  return (between * half - sine_from(between) * sine_from(half)).lo;
}

NormalCone cone_around(const Vec3& axis, double cosine) {
  return cosine > 0 ? NormalCone{axis, std::min(cosine, 1.0)} : NormalCone::everything();
}

/// Towards the middle of both cones: the axes turned towards each other by half of what the angles differ. Any vector
/// would be right; this one makes the merged cone small.
Vec3 middle_axis(const NormalCone& a, const NormalCone& b) {
  const Vec3 u = (1 / std::sqrt(dot(a.axis, a.axis))) * a.axis, v = (1 / std::sqrt(dot(b.axis, b.axis))) * b.axis;
  // Outermost directions of either cone in the plane of both axes; their bisector is the axis wanted.
  const Vec3 across_u = u - dot(u, v) * v, across_v = v - dot(u, v) * u;
  const double length_u = std::sqrt(dot(across_u, across_u)), length_v = std::sqrt(dot(across_v, across_v));
  if (!(length_u > 0 && length_v > 0)) return u;
  const double sine_a = std::sqrt(std::max(0.0, 1 - a.cosine * a.cosine));
  const double sine_b = std::sqrt(std::max(0.0, 1 - b.cosine * b.cosine));
  const Vec3 outer_a = a.cosine * u - (sine_a / length_v) * across_v;
  const Vec3 outer_b = b.cosine * v - (sine_b / length_u) * across_u;
  return outer_a + outer_b;
}

}  // namespace

NormalCone normal_cone(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double scale = scale_for(a, b, c);
  const IntervalVec n = cross(difference(b, a, scale), difference(c, a, scale));
  const Vec3 middle{n.x.lo / 2 + n.x.hi / 2, n.y.lo / 2 + n.y.hi / 2, n.z.lo / 2 + n.z.hi / 2};
  if (!is_finite(middle) || largest(middle) == 0) return NormalCone::everything();
  bool exact = false;
  const Vec3 axis = near_unit(middle, exact);
  // The true normal is off by at most the vector `off`, so the angle's sine is at most |off| / |middle|.
  const IntervalVec off{n.x - Interval(middle.x), n.y - Interval(middle.y), n.z - Interval(middle.z)};
  const Interval bound = square_length(off) / square_length(to_interval(middle));
  if (!exact || !(bound.hi < 1)) return NormalCone::everything();
  return cone_around(axis, sqrt(Interval(1.0) - Interval(bound.hi)).lo);
}

NormalCone merged(const NormalCone& a, const NormalCone& b) {
  if (a.is_everything() || b.is_everything()) return NormalCone::everything();
  // One may already contain the other.
  if (cosine_needed(b, a.axis) >= a.cosine) return a;
  if (cosine_needed(a, b.axis) >= b.cosine) return b;
  const Vec3 m = middle_axis(a, b);
  if (!is_finite(m) || !(largest(m) > 0x1p-40)) return NormalCone::everything();
  bool exact = false;
  const Vec3 axis = near_unit(m, exact);  // inexact or not: the cosine is computed for the axis as it is
  return cone_around(axis, std::min(cosine_needed(a, axis), cosine_needed(b, axis)));
}

bool contains(const NormalCone& cone, const Vec3& direction) {
  if (cone.is_everything()) return true;
  if (!is_finite(direction) || largest(direction) == 0) return false;
  bool exact = false;
  const Vec3 d = near_unit(direction, exact);
  return exact && cosine_between(cone.axis, d).lo >= cone.cosine;
}

}  // namespace graze::bv
