// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/ask/interference.hpp>
#include <graze/math/box3.hpp>

#include "math/vectors.hpp"

namespace graze::classic::kitamura {

/// A body at its present position. Its exact world positions are R(q/|q|) x + t of `local`; `world` are the same
/// rounded, with an error of at most `error` per coordinate.
struct PlacedBody {
  Mesh mesh;
  std::span<const Triangle> triangles;
  std::span<const Vec3> local;
  std::span<const Vec3> world;
  Pose pose;
  double error = 0;     ///< 0: `world` is exact
  bool bounded = true;  ///< false: placing overflows, so `world` is meaningless and the body may be anywhere
  Box3 box;             ///< contains the body

  std::array<Vec3, 3> corners(std::uint32_t triangle) const {
    const Triangle& t = triangles[triangle];
    return {world[t[0]], world[t[1]], world[t[2]]};
  }
};

/// A box widened by a body's error on every side: it contains every point within `error` of a point of the box (in
/// every coordinate). Twice the error is added to cover the rounding of the sum: that rounding can exceed `error` only
/// if the box's side is some fifty times as far from the origin as any point of the body (see `RelativePlacement::
/// error`), and there the side is beyond all of the body, or all of the body beyond it, in whichever direction it is
/// rounded.
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

/// The intersection of both boxes; empty if they share no point. Closed, like all boxes.
inline Box3 common(const Box3& a, const Box3& b) {
  Box3 r;
  r.lo = {std::max(a.lo.x, b.lo.x), std::max(a.lo.y, b.lo.y), std::max(a.lo.z, b.lo.z)};
  r.hi = {std::min(a.hi.x, b.hi.x), std::min(a.hi.y, b.hi.y), std::min(a.hi.z, b.hi.z)};
  return r;
}

/// All placed bodies of a query.
class Scene {
 public:
  /// The first error in the bodies, if any.
  static std::optional<ErrorDetail> mistake(std::span<const InterferenceBody> bodies);

  /// Bodies without a pose are used in place; placed ones are rounded into the scene's own storage.
  Scene(std::span<const InterferenceBody> bodies, int threads);

  std::span<const PlacedBody> bodies() const { return bodies_; }
  std::size_t size() const { return bodies_.size(); }
  const PlacedBody& operator[](std::size_t i) const { return bodies_[i]; }

 private:
  std::vector<PlacedBody> bodies_;
  std::vector<std::vector<Vec3>> placed_;
};

}  // namespace graze::classic::kitamura
