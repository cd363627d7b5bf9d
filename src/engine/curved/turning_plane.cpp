// SPDX-License-Identifier: MIT
#include "engine/curved/turning_plane.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::engine::curved {

namespace {

constexpr double up = 1 + 0x1p-40;  // covers the roundings of a few sums and products

/// How far the points within `radius` of a local point can get from where they were, in this time. The real path and
/// the one that the speeds are about differ by the errors.
double moved_at_most(const motion::Path& path, const Vec3& centre, double radius, double time) {
  const motion::Bounds& b = path.bounds();
  const double around = length(centre - path.reference()) + radius;
  return (time * (b.speed + b.turn_speed * around) + 2 * (b.error + b.turn_error * around)) * up;
}

}  // namespace

TurningPlane::TurningPlane(const motion::Path& path, const Vec3& normal, const Vec3& foot, double height, double t0)
    : path_(path),
      normal_(normal),
      foot_(foot),
      t0_(t0),
      height_(std::fabs(height)),
      turn_speed_(path.bounds().turn_speed) {
  if (!path.bounds().twist) return;
  const Vec3 w = path.at(t0).w;
  turn_speed_ = std::min(turn_speed_, length(cross(w, normal)) + 0x1p-40 * length(w));
}

double TurningPlane::closing(const motion::Path& path_a, const Ball& a, double end) const {
  const double time = end - t0_;
  const double travels =
      path_a.travel(-normal_, a.centre, a.radius, t0_, end) + path_.travel(normal_, foot_, 0, t0_, end);
  const double changed = moved_at_most(path_a, a.centre, a.radius, time) + moved_at_most(path_, foot_, 0, time);
  // The foot is below the centre but for roundings, relative to how far both are from the plane's origin.
  const double across = a.radius + changed + 0x1p-45 * (length(foot_) + height_);
  const double turned = turn_speed_ * time * up + 2 * path_.bounds().turn_error;
  return travels + turned * (0.5 * turned * (height_ + across) + across) * up;
}

}  // namespace graze::engine::curved
