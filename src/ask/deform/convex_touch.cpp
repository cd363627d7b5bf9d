// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "ask/deform/bernstein.hpp"
#include "ask/deform/shape_touch.hpp"
#include "core/limits.hpp"
#include "engine/curved/placed_at.hpp"
#include "engine/curved/scaling.hpp"
#include "shape/gap.hpp"
#include "shape/placed_core.hpp"

namespace graze {

using engine::deform::PathPoints;

namespace {

/// A path from t on, until `end`, as Bernstein points (de Casteljau, twice).
PathPoints part_of(const PathPoints& path, std::size_t degree, double t, double end) {
  PathPoints p = path;
  for (std::size_t r = 1; r <= degree; ++r)  // the points of [0, end]
    for (std::size_t k = degree; k >= r; --k) p[k] = p[k - 1] + (p[k] - p[k - 1]) * end;
  const double share = end > 0 ? t / end : 0;
  for (std::size_t r = 1; r <= degree; ++r)  // of these the points of [t, end]
    for (std::size_t k = 0; k + r <= degree; ++k) p[k] = p[k] + (p[k + 1] - p[k]) * share;
  return p;
}

shape::PlacedCore placed(const shape::Core& core, const motion::Path& path, double t, const Vec3& origin,
                         int exponent) {
  const engine::curved::PlacedAt at = engine::curved::place_of(path, t, 0);
  return {&core, at.r, engine::curved::scaled(at.t - origin, exponent), engine::curved::power_of_two(exponent)};
}

bool is_round(const shape::Core& core) {
  using Kind = shape::Core::Kind;
  return core.kind == Kind::point || core.kind == Kind::segment || core.kind == Kind::cylinder ||
         core.kind == Kind::cone || (core.kind == Kind::ellipsoid && core.half.x == core.half.y);
}

/// A core that is round about its axis u is the same set when it spins about u. So its points may be followed as if it
/// did not: as c + Q y, where c is its centre and Q turns u the shortest way to where it is, with angular velocity w' =
/// u x u'. Let w be constant, and the reference point on a straight line. Then u' = w x u, whose length a does not
/// change, |w'| = a, and |w''| = |(w . u) (u x w)| <= |w| a for its derivative; and |c''| = |w| |w x (c - reference)|.
/// So no such point accelerates by more than |c''| + (a^2 + |w| a) |y|. For the points of the body the bound would be
/// |w|^2 |y|, also of a roller that turns about its own axis. 2^-40 covers the rounding of u, c and w.
double acceleration_of_round(const shape::Core& core, const motion::Path& path, double reach) {
  if (!is_round(core) || !path.bounds().twist || path.bounds().acceleration > 0) return math::infinity;
  const motion::Instant at = path.at(0);
  const Vec3 middle = core.at_place({}), axis = math::turned(at.r, core.at_place({0, 0, 1}) - middle),
             arm = math::turned(at.r, middle - path.reference());
  const double w = std::max(length(at.w), path.bounds().turn_speed), rounded = 0x1p-40 * w;
  const double a = length(cross(at.w, axis)) + rounded * (1 + length(middle));
  const double of_arm = length(cross(at.w, arm)) + rounded * (length(middle) + length(path.reference()));
  return (w * of_arm + a * (a + w) * (reach + length(middle))) * (1 + 0x1p-40);
}

}  // namespace

MovingConvex::MovingConvex(const shape::Core& core, const Motion& motion)
    : path_(motion.path()),
      core_(core),
      origin_(motion.at(0).t),
      reach_(core_.reach()),
      acceleration_(
          (path_.bounds().acceleration + path_.bounds().turn_acceleration * (reach_ + length(path_.reference()))) *
          (1 + 0x1p-40)) {
  const Vec3 half{reach_, reach_, reach_};
  const Vec3 start = origin_, end = motion.at(1).t;
  // A path is within a / 8 of its chord (the error of linear interpolation).
  const double around = acceleration_ / 8 + error(length(start) + length(end));
  const Vec3 all = half + Vec3{around, around, around};
  for (const Vec3& x : {start, end}) {
    swept_.add(x - all);
    swept_.add(x + all);
  }
  acceleration_ = std::min(acceleration_, acceleration_of_round(core_, path_, reach_));
}

/// The placement's errors, and those of the kernel (shape/gap.hpp) and of the sums, in the scale of the coordinates.
double MovingConvex::error(double far) const {
  const double sizes =
      far + length(origin_) + reach_ + path_.bounds().speed + path_.bounds().turn_speed * length(path_.reference());
  return 2 * engine::curved::place_of(path_, 0, reach_).spread + 8 * shape::rounding * sizes + 0x1p-1060;
}

/// At a time t the triangle and the shape's core are apart along a unit direction n. Until `end` the least of n . x
/// over the core is nowhere lower than the line between its values at both ends, less a w^2 / 8 for points that
/// accelerate by at most a; and a corner is nowhere further along n than its Bernstein polynomial says, which is
/// nowhere above the upper convex hull of its coefficients. The difference is a polynomial that is nowhere below its
/// own lower hull. Where that exceeds radius, separation and errors, the triangle is farther away than the separation.
/// The times that are certified one after the other are so short that the bend is a quarter of the gap at their start.
std::optional<ShapeTouch> MovingConvex::touch(std::span<const PathPoints, 3> corners, std::size_t degree,
                                              double separation, double tolerance) const {
  double far = 0;
  std::array<PathPoints, 3> p;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k <= degree; ++k) {
      p[i][k] = corners[i][k] - origin_;
      far = std::max(far, std::max({std::fabs(p[i][k].x), std::fabs(p[i][k].y), std::fabs(p[i][k].z)}));
    }
  const double sizes = far + reach_ + length(swept_.hi - swept_.lo) + separation;
  const int exponent = -std::clamp(engine::curved::exponent_of(sizes) + 2, -990, 990);
  const double scale = engine::curved::power_of_two(exponent);
  for (PathPoints& path : p)
    for (Vec3& x : path) x = engine::curved::scaled(x, exponent);
  const double err = error(sizes) * scale, level = (core_.radius + separation) * scale + err;
  const double tol = tolerance * scale, acceleration = acceleration_ * scale;
  core::Poll poll;
  Vec3 guess;
  double t = 0;
  while (t < 1) {
    poll.rarely();
    const shape::PlacedCore now = placed(core_, path_, t, origin_, exponent);
    shape::TriangleCore triangle;
    std::array<PathPoints, 3> rest;
    for (std::size_t i = 0; i < 3; ++i) {
      rest[i] = part_of(p[i], degree, t, 1);
      triangle.corners[i] = rest[i][0];
    }
    const shape::Gap gap = shape::find_gap(triangle, now, guess, math::infinity, -1, 0.1, level);
    const double room = gap.lower - level;
    const auto here = [&] {
      const shape::Gap fine = shape::find_gap(triangle, now, gap.normal, math::infinity, -1);
      const TimeBracket time = t == 0 ? TimeBracket{0, 0} : TimeBracket{t, std::min(1.0, next_up(t))};
      return ShapeTouch{time, std::max(0.0, std::min(fine.upper, gap.upper) / scale - core_.radius)};
    };
    // NaN, where numbers overflow, is a touch, too.
    if (gap.overlap || !(gap.upper > level - 2 * err + tol) || !(room > 0)) return here();
    const Vec3 n = gap.normal;
    guess = n;
    const double w = acceleration > 0 ? std::min(1 - t, std::sqrt(2 * room / acceleration)) : 1 - t;
    const double end = std::min(1.0, t + w), bend = 0.125 * acceleration * (end - t) * (end - t);
    const double from = dot(n, now.furthest(-n)),
                 to = dot(n, placed(core_, path_, end, origin_, exponent).furthest(-n));
    double share = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      if (end < 1) rest[i] = part_of(p[i], degree, t, end);
      Bernstein b{};
      for (std::size_t k = 0; k <= degree; ++k)
        b[k] = from + (to - from) * (static_cast<double>(k) / static_cast<double>(degree)) - dot(n, rest[i][k]);
      const double least = level + bend + std::min(tol, room) / 4;
      if (!(b[0] > least)) return here();  // rounding is all that is left
      share = std::min(share, first_fall(b, degree, least));
    }
    if (share < 1) share *= 1 - 0x1p-49;
    const double next = share < 1 ? (t + (end - t) * share) * (1 - 0x1p-52) : end;
    if (!(next > t)) return here();
    t = next;
  }
  return std::nullopt;
}

}  // namespace graze
