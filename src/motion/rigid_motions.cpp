// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "motion/screw_arc.hpp"
#include "motion/twist.hpp"

namespace graze {

using namespace motion;

namespace {

Motion twist(const Twist::Real& real, std::optional<Pose> end, std::string description) {
  return Motion(std::make_shared<const Twist>(real, std::move(end), std::move(description)));
}

IntervalVector turned(const Pose& pose, const Vec3& local) {
  if (local == Vec3{}) return {};
  return enclose_rotation(pose.rotation()) * enclose(local);
}

void require_finite(const Vec3& v, const char* what) {
  if (is_finite(v)) return;
  throw Error({.code = ErrorCode::not_finite,
               .message = std::string("the ") + what + " must be finite numbers",
               .element = "motion",
               .id = ErrorDetail::none,
               .file = {},
               .line = ErrorDetail::none});
}

}  // namespace

Still::operator Motion() const {
  const core::FpGuard guard;
  return twist({.from = pose, .reference = {}, .offset = {}, .velocity = {}, .turn = {}}, pose,
               describe("still", pose));
}

Velocity::Velocity(const Pose& from, const Pose& to, const Vec3& reference) {
  require_finite(reference, "coordinates of the reference point");
  const core::FpGuard guard;
  const IntervalVector start = turned(from, reference), end = turned(to, reference);
  const IntervalVector shift = enclose(to.translation()) - enclose(from.translation());
  motion_ = twist({.from = from,
                   .reference = enclose(reference),
                   .offset = start,
                   .velocity = shift + (end - start),
                   .turn = shorter_turn(from.rotation(), to.rotation())},
                  to, describe("velocity", from, to, reference));
}

Velocity Velocity::from_speeds(const Pose& from, const Vec3& linear, const Vec3& angular, const Vec3& reference) {
  require_finite(linear, "linear velocity");
  require_finite(angular, "angular velocity");
  require_finite(reference, "coordinates of the reference point");
  if (!(length(angular) < 0x1p20))
    throw Error({.code = ErrorCode::bad_option,
                 .message = "the angular velocity must be below 2^20 radians per unit of time; split the motion",
                 .element = "motion",
                 .id = ErrorDetail::none,
                 .file = {},
                 .line = ErrorDetail::none});
  const core::FpGuard guard;
  return Velocity(twist({.from = from,
                         .reference = enclose(reference),
                         .offset = turned(from, reference),
                         .velocity = enclose(linear),
                         .turn = turn_of(angular)},
                        std::nullopt, describe("speeds", from, linear, angular, reference)));
}

Screw::Screw(const Pose& from, const Pose& to) {
  const core::FpGuard guard;
  const Turn turn = shorter_turn(from.rotation(), to.rotation());
  const IntervalVector shift = enclose(to.translation()) - enclose(from.translation());
  if (turn.angle == Interval(0)) {
    motion_ = twist({.from = from, .reference = {}, .offset = {}, .velocity = shift, .turn = {}}, to,
                    describe("screw", from, to));
    return;
  }
  // Below this turn the axis is more than eight times as far away as the body goes.
  if (turn.angle.hi < 0.125) {
    motion_ = Motion(std::make_shared<const ScrewArc>(from, to, turn));
    return;
  }
  const IntervalVector along = turn.axis * dot(turn.axis, shift), across = shift - along;
  const Interval half = turn.angle * Interval(0.5);
  // The centre c of the arc: across = (I - Rot) c.
  const IntervalVector centre = (across + cross(turn.axis, across) * (cos(half) / sin(half))) * Interval(0.5);
  motion_ = twist({.from = from,
                   .reference = transposed_times(enclose_rotation(from.rotation()), centre),
                   .offset = centre,
                   .velocity = along,
                   .turn = turn},
                  to, describe("screw", from, to));
}

}  // namespace graze
