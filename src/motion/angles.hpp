// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <graze/math/interval.hpp>
#include <graze/math/pose.hpp>

namespace graze::motion {

/// A real number below, one above pi.
inline constexpr Interval pi{0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1};

/// The angle of every (x, y) in the two intervals, in (-pi, pi] or, across the cut, a little beyond. Exactly 0 on the
/// positive x axis. [-pi, pi] if the origin is (nearly) among the points, which has no angle. Without libm.
Interval arc_tangent(const Interval& y, const Interval& x);

/// Roll, pitch and yaw of a real rotation R = Rz(yaw) Ry(pitch) Rx(roll), pitch in [-pi/2, pi/2]. Where the pitch is
/// exactly +-pi/2 and only the sum or difference of roll and yaw is determined (gimbal lock), the roll is 0.
struct EulerAngles {
  Interval roll, pitch, yaw;
};
EulerAngles euler_angles(const Quat& q);

/// `to` - `from` for two angles of which only the remainder by 2 pi matters, the shorter way. Half a turn, to within
/// 2^-40 so that everybody can tell, is turned in the positive sense.
Interval shorter_way(const Interval& from, const Interval& to);

}  // namespace graze::motion
