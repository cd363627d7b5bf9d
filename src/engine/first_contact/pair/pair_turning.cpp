// SPDX-License-Identifier: MIT
// Separating directions that turn with one of the two bodies.
#include <algorithm>
#include <cmath>

#include "engine/first_contact/pair/pair_motion.hpp"
#include "engine/first_contact/pair/time_to_close.hpp"

namespace graze::engine::first_contact {

namespace {

/// One corner of the other body in the frame of the body with which the direction turns: its closing speed now, and an
/// acceleration bound that holds at all times.
struct RelativeCorner {
  double speed, acceleration;
};

/// Both bodies, from the frame of the one with which the direction turns.
struct TurningFrame {
  const motion::Instant &frame, &other;
  const motion::Bounds &frame_bounds, &other_bounds;
  double across;  ///< |n x w| of the frame
  double turn;    ///< |w| of the frame
};

/// The corner x of the other body, with its arm from the reference point; n points towards the other body.
///
/// With the frame's velocity v and angular velocity w, both constant (a twist), and its turn Q since now, the corner is
/// at y = Q^T (x - o) there, and
///     y'  = Q^T (x' - v - w x (x - o)),
///     y'' = Q^T (x'' - 2 w x (x' - v) + w x (w x (x - o))).
/// Q turns about w, so that n . Q^T (w x z) = (Q n x w) . z with |Q n x w| = |n x w|. Hence
///     |n . y''| <= |x''| + |n x w| (2 s + |w x (x - o)| + |w| s)
/// for all times within 1 from now, where s >= |x' - v| at all times: x - o changes by at most s in that time.
RelativeCorner relative_corner(const TurningFrame& c, const Vec3& x, const Vec3& arm, const Vec3& n) {
  const Vec3 away = x - c.frame.o, carried = cross(c.frame.w, away), turned = cross(c.other.w, arm);
  const double far = length_at_any_scale(away), sideways = length_at_any_scale(carried);
  double acceleration, most, error = 0;
  if (c.other_bounds.twist) {
    const double rim = length_at_any_scale(turned);  // |w x r| does not change while the body turns
    acceleration = length_at_any_scale(c.other.w) * rim;
    most = length_at_any_scale(c.other.v - c.frame.v) + rim;
  } else {
    const double reach = length_at_any_scale(arm);
    acceleration = c.other_bounds.acceleration + c.other_bounds.turn_acceleration * reach;
    most = c.other_bounds.speed + c.other_bounds.turn_speed * reach + length_at_any_scale(c.frame.v);
    error = c.other_bounds.velocity_error + c.other_bounds.turn_velocity_error * reach;
  }
  acceleration += c.across * (2 * most + sideways + c.turn * most);
  // Rounding: positions and the bodies' own velocities are covered by the pair's `rounding`. The frame's angular
  // velocity is off by turn_velocity_error, and its product with what is far away by a few eps of its size. The
  // absolute errors of n x w and of w x r, a few eps |w| and eps |w| |r|, exceed the relative factor below where n or r
  // is nearly parallel to w. They amount to a tilt of n or a shift of the corner by a few eps: n = n' + e with |n' x w|
  // as computed and |e| a few eps, and e . (y(t) - y) <= 2 |e| (|x - o| + s) at any time, which `rounding` covers.
  error += c.frame_bounds.turn_velocity_error * far + 0x1p-44 * c.turn * far;
  return {-dot(n, c.other.v + turned - c.frame.v - carried) + error, acceleration * (1 + 0x1p-40)};
}

/// Can the rotation of a triangle be much faster than the linear speeds? Constant while motions are twists. Only
/// selects what is tried; no bound depends on it.
bool rotates_much_faster(const motion::Instant& body, const std::array<Vec3, 3>& t, const Vec3& linear) {
  const Vec3 x = t[1] - t[0], y = t[2] - t[0];
  return dot(body.w, body.w) * (dot(x, x) + dot(y, y)) > 64 * dot(linear, linear);
}

}  // namespace

Vec3 in_axes(Frame frame, const Moment& m, const Vec3& n) {
  if (frame == Frame::world) return n;
  const auto& r = frame == Frame::a ? m.a.r : m.b.r;
  return {r[0] * n.x + r[3] * n.y + r[6] * n.z, r[1] * n.x + r[4] * n.y + r[7] * n.z,
          r[2] * n.x + r[5] * n.y + r[8] * n.z};
}

double PairMotion::safe_time_turning(const Moment& m, const MovingPair& p, const Vec3& n, bool with_b,
                                     double target) const {
  const motion::Bounds &a = kinematics_.a().bounds(), &b = kinematics_.b().bounds();
  const motion::Instant& frame = with_b ? m.b : m.a;
  // The error of the angular velocity is at most turn_velocity_error.
  const motion::Bounds& own_bounds = with_b ? b : a;
  const double off = own_bounds.turn_velocity_error;
  const TurningFrame c{frame,
                       with_b ? m.a : m.b,
                       own_bounds,
                       with_b ? a : b,
                       length_at_any_scale(cross(n, frame.w)) * (1 + 0x1p-40) + off,
                       length_at_any_scale(frame.w) * (1 + 0x1p-40) + off};
  if (!c.frame_bounds.twist) return 0;
  // The corners of the frame's own body do not move along n; each corner of the other body must stay beyond all of
  // them.
  const auto& own = with_b ? p.b : p.a;
  const auto& others = with_b ? p.a : p.b;
  const auto& arms = with_b ? p.arm_a : p.arm_b;
  const Vec3 to_other = with_b ? -n : n;
  double top = dot(to_other, own[0]);
  for (std::size_t k = 1; k < 3; ++k) top = std::max(top, dot(to_other, own[k]));
  double step = 2;  // beyond the end of time
  for (std::size_t k = 0; k < 3; ++k) {
    const double gap = dot(to_other, others[k]) - top - target;
    if (!(gap > 0)) return 0;
    const RelativeCorner s = relative_corner(c, others[k], arms[k], to_other);
    // With these limits the root below neither overflows nor is NaN. If a term overflowed, a comparison fails.
    if (!(std::fabs(s.speed) < 0x1p400 && s.acceleration * gap < 0x1p800)) return 0;
    const double time = time_to_close(gap, s.speed, s.acceleration);
    if (!(time > 0)) return 0;
    step = std::min(step, time);
  }
  return step * (1 - 0x1p-40);  // as in `safe_time`
}

void PairMotion::lengthen_turning(const Moment& m, const MovingPair& p, const prim::ClosestPair& closest, const Vec3& n,
                                  double target, std::optional<bool>& may_turn, double& step, Frame& frame) const {
  if (!may_turn)
    may_turn = rotates_much_faster(m.a, p.a, m.a.v - m.b.v) || rotates_much_faster(m.b, p.b, m.a.v - m.b.v);
  if (!*may_turn) return;
  const Vec3 pass = (m.a.v + cross(m.a.w, closest.a - m.a.o)) - (m.b.v + cross(m.b.w, closest.b - m.b.o));
  for (const bool with_b : {false, true}) {
    const motion::Instant& body = with_b ? m.b : m.a;
    const Vec3 near = cross(body.w, (with_b ? closest.b : closest.a) - body.o);
    const double local = dot(near, near) + dot(pass, pass);
    double fastest = 0;
    for (const Vec3& arm : with_b ? p.arm_b : p.arm_a) {
      const Vec3 v = cross(body.w, arm);
      fastest = std::max(fastest, dot(v, v));
    }
    if (!(fastest > 64 * local)) continue;
    const double time = safe_time_turning(m, p, n, with_b, target);
    if (!(time > step)) continue;
    step = time;
    frame = with_b ? Frame::b : Frame::a;
  }
}

}  // namespace graze::engine::first_contact
