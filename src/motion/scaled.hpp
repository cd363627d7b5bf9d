// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <optional>

#include <graze/motion/motion.hpp>

#include "motion/interval_matrix.hpp"

namespace graze::motion {

// Lengths times a power of two: exact, unless the result is so small that doubles have fewer digits there; then rounded
// to the nearest double, or outward for enclosures.

inline double scaled(double x, int exponent) { return std::ldexp(x, exponent); }
inline Vec3 scaled(const Vec3& v, int exponent) {
  return {std::ldexp(v.x, exponent), std::ldexp(v.y, exponent), std::ldexp(v.z, exponent)};
}
inline Pose scaled(const Pose& p, int exponent) { return Pose(scaled(p.translation(), exponent), p.rotation()); }
inline std::optional<Pose> scaled(const std::optional<Pose>& p, int exponent) {
  return p ? std::optional(scaled(*p, exponent)) : std::nullopt;
}
inline Interval scaled(const Interval& x, int exponent) {
  const double lo = std::ldexp(x.lo, exponent), hi = std::ldexp(x.hi, exponent);
  return {std::ldexp(lo, -exponent) == x.lo ? lo : next_down(lo), std::ldexp(hi, -exponent) == x.hi ? hi : next_up(hi)};
}
inline IntervalVector scaled(const IntervalVector& v, int exponent) {
  return {scaled(v[0], exponent), scaled(v[1], exponent), scaled(v[2], exponent)};
}
inline IntervalPlacement scaled(const IntervalPlacement& p, int exponent) { return {p.r, scaled(p.t, exponent)}; }

}  // namespace graze::motion
