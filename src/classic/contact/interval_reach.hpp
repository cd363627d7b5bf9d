// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <limits>
#include <span>

#include "classic/contact/interval_boxes.hpp"
#include "classic/contact/interval_scene.hpp"

namespace graze::classic::contact {

/// The reach of two parts while their bodies rotate, for all angles: docs/design.md 4 (iii) for method `interval`,
/// whose enclosures over a span become weaker the more turns the span contains.
///
/// For two twists only. A point at y from the reference point, z along the axis w and r from it, is within r of o + t v
/// + z w, perpendicular to w. So along a unit vector n its coordinate is never above
///
///     n . (o + t v) + (n . w) z + |n - (n . w) w| r,
///
/// which is linear in t and convex in y: it is largest at the corners of a part, and apart at both ends of a span means
/// apart throughout.
class IntervalReach {
 public:
  IntervalReach(const motion::Path& a, const motion::Path& b, const IntervalScene& scene);

  /// Are both motions twists, and does at least one rotate?
  bool known() const { return known_; }

  /// What many corners of a body that rotates can reach: their range along the axis, the largest distance from it, and
  /// from the reference point. The box of a part of a rim reaches beyond the rim, its corners do not.
  struct Profile {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    double far = 0, size = 0;

    void add(const Profile& other);
  };
  bool turns(bool of_b) const { return (of_b ? b_ : a_).turns; }
  /// Of a body that rotates.
  Profile profile(bool of_b, std::span<const Vec3> corners) const;

  /// Corners whose hull contains the part, relative to the reference point, in scaled units; or, if given, a profile.
  struct Part {
    std::span<const Vec3> corners;
    const Profile* profile = nullptr;
  };
  /// Are the parts certified to be further apart than the scene's tolerance during all of [lo, hi]?
  bool apart(const Part& a, const Part& b, double lo, double hi) const;

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

}  // namespace graze::classic::contact
