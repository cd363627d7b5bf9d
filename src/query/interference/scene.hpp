// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/math/box3.hpp>
#include <graze/query/interference.hpp>

#include "math/vectors.hpp"

namespace graze::query {

/// A body where it stands now. Its exact places in the world are R(q/|q|) x + t of `local`; `world` are the same
/// rounded, and no coordinate is off by more than `error`.
struct PlacedBody {
  Mesh mesh;
  std::span<const Triangle> triangles;
  std::span<const Vec3> local;
  std::span<const Vec3> world;
  Pose pose;
  double error = 0;     ///< 0: `world` is exact
  bool bounded = true;  ///< false: placing overflows, so `world` says nothing and the body may be anywhere
  Box3 box;             ///< holds the body

  std::array<Vec3, 3> corners(std::uint32_t triangle) const {
    const Triangle& t = triangles[triangle];
    return {world[t[0]], world[t[1]], world[t[2]]};
  }
};

/// A box that reaches further by a body's error, on every side: a point within `error` of a point in the box (in every
/// coordinate) is in it. Twice the error is added, so that the sum's own rounding is covered: it can exceed `error`
/// only where the box's side is some fifty times as far from the origin as any point of the body (see
/// `RelativePlacement:: error`), and there the side is beyond all of the body, or all of the body beyond it, whichever
/// way it is rounded.
inline Box3 padded(const Box3& box, double error) {
  if (error == 0) return box;
  const double e = 2 * error;
  Box3 r;
  r.lo = {box.lo.x - e, box.lo.y - e, box.lo.z - e};
  r.hi = {box.hi.x + e, box.hi.y + e, box.hi.z + e};
  return r;
}

inline Box3 everywhere() {
  using math::infinity;
  Box3 r;
  r.lo = {-infinity, -infinity, -infinity};
  r.hi = {infinity, infinity, infinity};
  return r;
}

/// The box of the points of both; empty if there are none. Closed, like all boxes.
inline Box3 common(const Box3& a, const Box3& b) {
  Box3 r;
  r.lo = {std::max(a.lo.x, b.lo.x), std::max(a.lo.y, b.lo.y), std::max(a.lo.z, b.lo.z)};
  r.hi = {std::min(a.hi.x, b.hi.x), std::min(a.hi.y, b.hi.y), std::min(a.hi.z, b.hi.z)};
  return r;
}

/// All bodies of a question, placed.
class Scene {
 public:
  /// What is wrong with the bodies, if anything.
  static std::optional<ErrorDetail> mistake(std::span<const InterferenceBody> bodies);

  /// Bodies without a pose are read where they are; placed ones are rounded into storage of the scene's own.
  Scene(std::span<const InterferenceBody> bodies, int threads);

  std::span<const PlacedBody> bodies() const { return bodies_; }
  std::size_t size() const { return bodies_.size(); }
  const PlacedBody& operator[](std::size_t i) const { return bodies_[i]; }

 private:
  std::vector<PlacedBody> bodies_;
  std::vector<std::vector<Vec3>> placed_;
};

}  // namespace graze::query
