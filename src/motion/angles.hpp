// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/interval.hpp>
#include <graze/math/pose.hpp>

namespace graze::motion {

/// Two adjacent doubles that enclose pi.
inline constexpr Interval pi{0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1};

/// The angle of every (x, y) in the two intervals, in (-pi, pi] or, across the branch cut, slightly beyond. Exactly 0
/// on the positive x axis. [-pi, pi] if the intervals (nearly) contain the origin, which has no angle. Does not use
/// libm.
Interval arc_tangent(const Interval& y, const Interval& x);

/// Roll, pitch and yaw of a real rotation R = Rz(yaw) Ry(pitch) Rx(roll), pitch in [-pi/2, pi/2]. Where the pitch is
/// exactly +-pi/2 and only the sum or difference of roll and yaw is determined (gimbal lock), the roll is 0.
struct EulerAngles {
  Interval roll, pitch, yaw;
};
EulerAngles euler_angles(const Quat& q);

/// `to` - `from` for two angles modulo 2 pi: the difference of smaller magnitude. A half turn, to within 2^-40 so that
/// every implementation decides alike, is taken in the positive direction.
Interval shorter_angle(const Interval& from, const Interval& to);

}  // namespace graze::motion
