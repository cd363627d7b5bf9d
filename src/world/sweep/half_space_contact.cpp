// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "world/sweep/stand.hpp"
#include "world/sweep/sweep.hpp"

namespace graze::world {

namespace {

/// How far a point is above the plane, rounded down. The rounded normal is off by less than 2^-46 in each coordinate
/// (`Pose::apply`), and the differences, products and sums are rounded by less than that, relative to the sizes summed
/// up here.
double height_below(const Vec3& p, const Vec3& normal, const Vec3& origin, double rounding) {
  const auto size = [](const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); };
  return dot(normal, p - origin) - rounding - 0x1p-44 * (size(p) + size(origin) + rounding) - 0x1p-1060;
}

}  // namespace

FirstContactResult half_space_contact(const StraightBody& body, const StraightBody& plane, double tolerance,
                                      double separation) {
  const double rounding = plane.to.shape()->rounding;
  // Farther than d from a half-space means outside of the same half-space with a radius larger by d, rounded up.
  const double radius = separation > 0 ? (rounding + separation) * (1 + 0x1p-51) : rounding;
  const Vec3 normal = Pose({}, plane.pose_to.rotation()).apply({0, 0, 1});
  const std::span<const Vec3> from = body.from.mesh().positions(), to = body.to.mesh().positions();
  FirstContactResult out;
  out.method = "deform";
  out.status = Status::free;
  out.time = {1, std::numeric_limits<double>::quiet_NaN()};
  out.gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < from.size(); ++i) {
    // The height of a vertex changes linearly, and what is between these bounds is above it: a triangle touches the
    // half-space only if one of its corners does. Comparisons with NaN, where numbers overflow, count as touching.
    const double start = height_below(body.pose_from.apply(from[i]), normal, plane.pose_from.translation(), radius);
    const double end = height_below(body.pose_to.apply(to[i]), normal, plane.pose_to.translation(), radius);
    if (!(start > 0)) {
      out.status = Status::touching_at_start;
      out.time = {0, 0};
      out.gap = std::max(0.0, separation + start);
      return out;
    }
    if (end > 0) continue;
    const double keep = std::min(tolerance, start / 2);  // at `safe` the vertex is that high above it, at least
    const double safe = (start - keep) / (start - end) * (1 - 0x1p-49);
    const double touch = std::min(1.0, start / (start - end));
    if (out.status == Status::free) out.time.touch = 1;
    out.status = Status::contact;
    out.time = {std::isfinite(safe) ? std::min(out.time.safe, safe) : 0, std::min(out.time.touch, touch)};
    out.gap = separation;
  }
  return out;
}

}  // namespace graze::world
