// SPDX-License-Identifier: MIT
// When something that deforms comes near a rigid shape that no mesh stands for: a half-space, or a shape with a curved
// surface.
#pragma once

#include <array>
#include <optional>
#include <span>

#include <graze/ask/elementary.hpp>
#include <graze/body/body.hpp>
#include <graze/math/box3.hpp>
#include <graze/motion/motion.hpp>

#include "engine/deform/paths/vertex_paths.hpp"
#include "shape/core.hpp"

namespace graze {

struct ShapeTouch {
  TimeBracket time;
  double gap;
};

/// A half-space that moves and turns: everything that is at most `rounding` above the plane.
class MovingPlane {
 public:
  MovingPlane(const Body& half_space, const Motion& motion);

  /// When a point on a polynomial path (Bernstein form, degree 1 to 4) comes within `separation`; none: it never does.
  std::optional<ShapeTouch> touch(std::span<const Vec3> control, double separation, double tolerance) const;
  /// Is the error of heights far below the tolerance? Always at rest, where they are polynomials.
  bool is_sharp(std::span<const Vec3> control, double tolerance) const;

 private:
  /// How the height above a moving plane may change.
  struct Heights {
    double error;         ///< of a height
    double acceleration;  ///< no height has a larger second derivative
  };
  Heights heights(std::span<const Vec3> control, double separation) const;
  std::optional<ShapeTouch> touch_in_motion(std::span<const Vec3> control, double separation, double tolerance) const;

  const motion::Path& path_;
  double rounding_;
  bool moves_;
  Vec3 normal_, origin_;  ///< at the start
};

/// A convex shape that moves and turns: a cylinder, cone or ellipsoid, also rounded, or any piece of a compound.
class MovingConvex {
 public:
  /// Both must outlive this.
  MovingConvex(const shape::Core& core, const Motion& motion);

  /// Contains the shape during the whole step.
  const Box3& swept_box() const { return swept_; }
  /// How far what is computed may be from what is true, for triangles whose corners stay within `far` of the origin.
  double error(double far) const;
  /// When a triangle whose corners are on polynomial paths of one degree comes within `separation`; none: it never
  /// does.
  std::optional<ShapeTouch> touch(std::span<const engine::deform::PathPoints, 3> corners, std::size_t degree,
                                  double separation, double tolerance) const;

 private:
  const motion::Path& path_;
  const shape::Core& core_;
  Vec3 origin_;  ///< coordinates are relative to it, where the shape starts
  double reach_;
  double acceleration_;  ///< of no point, as they are followed, is it larger
  Box3 swept_;
};

}  // namespace graze
