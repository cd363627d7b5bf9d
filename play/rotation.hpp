// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/pose.hpp>
#include <graze/motion/motion.hpp>

#include "least_deviation.hpp"

namespace graze::play {

/// The pose after `time` with these velocities of the centre (given in local coordinates).
Pose moved(const Pose& pose, const Vec3& centre, const Vec3& linear, const Vec3& angular, double time);
/// Axis times angle, by the smaller angle, that turns one orientation into the other.
Vec3 turn_between(const Quat& from, const Quat& to);
/// The nearest pose to a placement.
Pose pose_of(const Placement& placement);
/// The local point that is placed at `point`.
Vec3 unplaced(const Placement& placement, const Vec3& point);
/// A tensor in local axes, in world axes.
Symmetric turned(const Symmetric& local, const Pose& pose);
/// The x with S x = y.
Vec3 solve(const Symmetric& s, const Vec3& y);

}  // namespace graze::play
