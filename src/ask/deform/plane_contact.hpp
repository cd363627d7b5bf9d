// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <graze/ask/elementary.hpp>
#include <graze/body/body.hpp>
#include <graze/motion/motion.hpp>

namespace graze {

/// A half-space at rest: everything that is at most `rounding` above the plane.
struct Plane {
  Vec3 normal, origin;
  double rounding;
};
Plane plane_of(const Body& half_space, const Motion& at_rest);

struct PlaneContact {
  TimeBracket time;
  double gap;
};
/// When a point on a polynomial path (Bernstein form, degree 1 to 4) comes within `separation` of a half-space at rest;
/// none: it never does.
std::optional<PlaneContact> plane_contact(std::span<const Vec3> control, const Plane& plane, double separation,
                                          double tolerance);

}  // namespace graze
