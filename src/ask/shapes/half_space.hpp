// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/body/body.hpp>
#include <graze/core/error.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/motion.hpp>

namespace graze::ask {

/// A box that stands for the half-space in every question about `other` (a mesh, box or hull): its top is part of the
/// half-space's surface.
///
/// Reason. Let all points of `other` be within D of the half-space's origin, and the box reach from -L to L, and from
/// -L up to the surface, with L >= 4 D. The box is part of the half-space, and the point of the half-space that is
/// nearest to a point of `other` (straight below it, or the point itself) is in the box. So distances and common points
/// are the same. Its coordinates are powers of two and the given level, which nothing rounds. None: they would be
/// larger than the largest number (`too_far`).
std::optional<Body> stand_in(const Body& half_space, const Pose& pose, const Body& other, const Pose& pose_other);
/// The same for a whole motion, and for curved shapes, too. Other parts of the box than its top stay farther than
/// `separation` from the other body.
std::optional<Body> stand_in(const Body& half_space, const Motion& motion, const Body& other,
                             const Motion& motion_other, double separation = 0);

/// No point of `other` is ever further than this from the origin of the half-space.
double reach_from(const Motion& motion, const Body& other, const Motion& motion_other);

/// Why there is no such box.
ErrorDetail too_far();

/// Two half-spaces: they are apart only if their surfaces are exactly parallel and face each other. Decided exactly;
/// the distance is the nearest double.
struct HalfSpaceGap {
  bool parallel = false;  ///< the surfaces face each other, and are exactly parallel
  bool apart = false, touch = false;
  double distance = 0;  ///< negative: how deep two that face each other overlap
};
HalfSpaceGap half_space_gap(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b);

}  // namespace graze::ask
