// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "query/first_contact/interval_boxes.hpp"
#include "query/first_contact/interval_scene.hpp"

namespace graze::query {

/// How far two parts reach while their bodies turn, whatever the angle: DESIGN 4 (iii) for method `interval`, whose
/// forms of a span know the less the more turns it holds.
///
/// For two twists only. A point at y from the reference point, z along the axis w and r from it, is at o + t v + z w
/// and at most r from there, across w. So along a direction n of length one it is never higher than
///
///     n . (o + t v) + (n . w) z + |n - (n . w) w| r,
///
/// which is linear in t and convex in y: largest at the corners of a part, and apart at both ends of a span means apart
/// throughout.
class IntervalReach {
 public:
  IntervalReach(const motion::Path& a, const motion::Path& b, const IntervalScene& scene);

  /// Are both motions such, and does one turn?
  bool known() const { return known_; }

  /// Corners from the reference points, in scaled units: are their hulls certainly further apart than the scene's
  /// tolerance during all of [lo, hi]?
  bool apart(std::span<const Vec3> a, std::span<const Vec3> b, double lo, double hi) const;

  static std::array<Vec3, 8> corners(const IntervalBox& box);

 private:
  struct Turning {
    bool turns = false, axis_known = true;
    std::array<double, 9> r{};
    Vec3 o, v;              ///< in the world, scaled
    Vec3 axis, local_axis;  ///< unit, in the world and in the body
  };
  class Swept;
  Turning turning(const motion::Path& path) const;

  const IntervalScene& scene_;
  bool known_;
  Turning a_, b_;
};

}  // namespace graze::query
