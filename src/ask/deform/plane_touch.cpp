// SPDX-License-Identifier: MIT
#include "ask/deform/shape_touch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ask/deform/bernstein.hpp"
#include "core/limits.hpp"
#include "engine/curved/placed_at.hpp"

#include "math/vectors.hpp"

namespace graze {

namespace {

double size(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// Touching from this time on: what is certified before it, and the next number, at which the gap is as good as that.
TimeBracket from(double t) { return t == 0 ? TimeBracket{0, 0} : TimeBracket{t, std::min(1.0, next_up(t))}; }

}  // namespace

MovingPlane::MovingPlane(const Body& half_space, const Motion& motion)
    : path_(motion.path()),
      rounding_(half_space.shape()->rounding),
      moves_(path_.bounds().speed > 0 || path_.bounds().turn_speed > 0) {
  const Placement p = motion.at(0);
  normal_ = {p.r[2], p.r[5], p.r[8]};
  origin_ = p.t;
}

std::optional<ShapeTouch> MovingPlane::touch(std::span<const Vec3> control, double separation, double tolerance) const {
  if (moves_) return touch_in_motion(control, separation, tolerance);
  // Heights above the plane are polynomials. They are rounded down by a bound of all errors: the rounded normal is off
  // by less than 2^-46 in each coordinate, and differences, products, sums and the subdivisions below by less than
  // that, relative to the sizes summed up here.
  const std::size_t degree = control.size() - 1;
  double error = 0;
  for (const Vec3& p : control)
    error = std::max(error, 0x1p-43 * (size(p) + size(origin_) + rounding_ + separation) + 0x1p-1060);
  Bernstein b{};
  bool above = true;
  for (std::size_t k = 0; k <= degree; ++k) {
    b[k] = dot(normal_, control[k] - origin_) - rounding_ - separation - error;
    above = above && b[k] > 0;  // false for NaN, where numbers overflow
  }
  if (above) return std::nullopt;
  if (!(b[0] > 0)) return ShapeTouch{{0, 0}, std::max(0.0, b[0] + separation)};  // NaN, where numbers overflow, too
  const double keep = std::min(tolerance, b[0]) / 2;  // the height at `safe` is that, at least
  double t = 0;
  for (int steps = 0; steps < 256 && t < 1 && b[0] > 2 * keep; ++steps) {
    const double fall = first_fall(b, degree, keep);
    if (fall > 1) return std::nullopt;
    if (!(fall > 0)) break;
    const double share = std::min(fall * (1 - 0x1p-49), 1.0);
    for (std::size_t r = 1; r <= degree; ++r)
      for (std::size_t k = 0; k + r <= degree; ++k) b[k] += (b[k + 1] - b[k]) * share;
    t = (t + (1 - t) * share) * (1 - 0x1p-52);
    if (degree == 1) break;
  }
  return ShapeTouch{from(t), std::max(0.0, b[0] + separation)};
}

/// The height h = n . (p - o) of a point p above a plane with normal n and origin o has
///   h'' = n'' . (p - o) + 2 n' . (p' - o') + n . (p'' - o''),
/// and n is the difference of two points of the body at distance 1: |n'| and |n''| have the bounds of the part of a
/// body's velocity and acceleration that grows with the distance from the reference point (motion/path.hpp). With |h''|
/// <= A in all of a time of length w, h is nowhere lower than the line between its ends less A w^2 / 8. The times that
/// are certified one after the other are so short that this is a quarter of the height at their start.
MovingPlane::Heights MovingPlane::heights(std::span<const Vec3> control, double separation) const {
  const motion::Bounds& m = path_.bounds();
  const double degree = static_cast<double>(control.size() - 1), arm = length(path_.reference());
  const double speed = m.speed + m.turn_speed * arm, acceleration = m.acceleration + m.turn_acceleration * arm;
  double far = 0, fast = 0, bent = 0;
  for (std::size_t k = 0; k < control.size(); ++k) {
    far = std::max(far, length(control[k] - origin_) + speed);
    if (k > 0) fast = std::max(fast, degree * length(control[k] - control[k - 1]));
    if (k > 1) bent = std::max(bent, degree * (degree - 1) * length(control[k] - control[k - 1] * 2 + control[k - 2]));
  }
  const double most =
      (m.turn_acceleration * far + 2 * m.turn_speed * (fast + speed) + bent + acceleration) * (1 + 0x1p-40);
  const engine::curved::PlacedAt first = engine::curved::place_of(path_, 0, 0);
  double largest = size(origin_) + speed + rounding_ + separation + far;
  for (const Vec3& p : control) largest = std::max(largest, size(p));
  // Of a height: the placement's, of the origin and of the normal over `far`; and the rounding of the sums.
  return {2 * first.spread + 3 * first.turn * far + 0x1p-43 * largest + 0x1p-1060, most};
}

bool MovingPlane::is_sharp(std::span<const Vec3> control, double tolerance) const {
  return !moves_ || 8 * heights(control, 0).error < tolerance;
}

std::optional<ShapeTouch> MovingPlane::touch_in_motion(std::span<const Vec3> control, double separation,
                                                       double tolerance) const {
  const Heights bounds = heights(control, separation);
  const double error = bounds.error, most = bounds.acceleration;
  const auto height = [&](double t, const Vec3& p) {
    const engine::curved::PlacedAt at = engine::curved::place_of(path_, t, 0);
    return dot(Vec3{at.r[2], at.r[5], at.r[8]}, p - at.t) - rounding_ - separation - error;
  };
  core::Poll poll;
  double t = 0, h = height(0, control[0]);
  const auto here = [&] { return ShapeTouch{from(t), std::max(0.0, h + separation)}; };
  while (t < 1) {
    poll.rarely();
    if (!(h > tolerance - 2 * error) || !(h > 0)) return here();  // NaN, where numbers overflow, too
    const double w = most > 0 ? std::min(1 - t, std::sqrt(2 * h / most)) : 1 - t;
    const double end = std::min(1.0, t + w), bend = 0.125 * most * (end - t) * (end - t);
    const double at_end = height(end, bernstein_at(control, end)), level = bend + std::min(tolerance, h) / 4;
    const double share = at_end > level ? 1 : (h - level) / (h - at_end) * (1 - 0x1p-49);
    const double next = share < 1 ? t + (end - t) * share * (1 - 0x1p-52) : end;
    if (!(next > t)) return here();
    t = next;
    h = share < 1 ? height(t, bernstein_at(control, t)) : at_end;
  }
  return std::nullopt;
}

}  // namespace graze
