// SPDX-License-Identifier: MIT
#pragma once

#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>
#include <graze/motion/motion.hpp>

#include "math/dyadic.hpp"

namespace graze::ask {

/// A box that stands for the half-space in every question about `other` (a mesh, box or hull): its top is part of the
/// half-space's surface.
///
/// Reason. Let all points of `other` be within D of the half-space's origin, and the box reach from -L to L, and from
/// -L up to the surface, with L >= 4 D. The box is part of the half-space, and the point of the half-space that is
/// nearest to a point of `other` (straight below it, or the point itself) is in the box. So distances and common points
/// are the same. Its coordinates are powers of two and the given level, which nothing rounds.
Body stand_in(const Body& half_space, const Pose& pose, const Body& other, const Pose& pose_other);
/// The same for a whole motion, and for curved shapes, too.
Body stand_in(const Body& half_space, const Motion& motion, const Body& other, const Motion& motion_other);

/// Two half-spaces: they are apart only if their surfaces are exactly parallel and face each other. The gap times
/// `scale`, exactly; none: they meet.
struct HalfSpaceGap {
  bool apart = false, touch = false;
  double distance = 0;
};
HalfSpaceGap half_space_gap(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b);

}  // namespace graze::ask
