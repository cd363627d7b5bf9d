// SPDX-License-Identifier: MIT
#pragma once

#include "engine/curved/parts.hpp"
#include "motion/path.hpp"

namespace graze::engine::curved {

/// A plane that turns with a body (a half-space's surface, say), and the points of a ball in the body A: how much
/// nearer they get along its normal.
///
/// Reason. Let m(t) be the normal, f(t) a point that is fixed in the plane's body, and u(t) = x(t) - f(t) for a point x
/// of A. The height of x is h(t) = m(t) . u(t), and with m = m(t0)
///     h(t) - h(t0) = m . (u(t) - u(t0)) + (m(t) - m) . u(t).
/// The first part is at least minus the travels of x along -m and of f along m. With |m(t) - m| <= d, and because
/// (m(t) - m) . m = -|m(t) - m|^2 / 2 for unit vectors, the second is at least
///     -d^2 / 2 |m . u(t)| - d |u(t) - (m . u(t)) m|.
/// f is chosen below the centre of the ball, or at it, so that u has a short part across the normal: at most the
/// radius, and what u changes. d is |w x m| (t - t0) where w is constant, because then |m'| is, and at most |w| (t -
/// t0) else.
class TurningPlane {
 public:
  /// `foot`: f, in the coordinates of the plane's body, at t0 below the centre of the ball by `height`. `normal`: m, in
  /// the world.
  TurningPlane(const motion::Path& path, const Vec3& normal, const Vec3& foot, double height, double t0);

  /// No point of the ball (of a body that moves so) gets nearer to the plane than this until `end`, from t0.
  double closing(const motion::Path& path_a, const Ball& a, double end) const;

 private:
  const motion::Path& path_;
  Vec3 normal_, foot_;
  double t0_, height_, turn_speed_;
};

}  // namespace graze::engine::curved
