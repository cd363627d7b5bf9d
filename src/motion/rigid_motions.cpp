// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "motion/scaled.hpp"
#include "motion/screw_arc.hpp"
#include "motion/twist.hpp"

namespace graze {

using namespace motion;

namespace {

IntervalVector turned(const Pose& pose, const Vec3& local) {
  if (local == Vec3{}) return {};
  return enclose_rotation(pose.rotation()) * enclose(local);
}

void require_finite(const Vec3& v, const char* what) {
  if (is_finite(v)) return;
  throw Error(core::problem(ErrorCode::not_finite, "motion", std::string("the ") + what + " must be finite numbers"));
}

/// Builds the motion of a recipe, with lengths scaled as the recipe requires.
class Maker {
 public:
  explicit Maker(const Recipe& recipe)
      : recipe_(recipe),
        from_(motion::scaled(recipe.from, recipe.exponent)),
        to_(motion::scaled(recipe.to, recipe.exponent)),
        reference_(motion::scaled(recipe.reference, recipe.exponent)) {}

  Motion still() const {
    return twist({.from = from_, .reference = {}, .offset = {}, .velocity = {}, .turn = {}}, from_);
  }

  Motion velocity() const {
    const IntervalVector start = turned(from_, reference_), end = turned(to_, reference_);
    return twist({.from = from_,
                  .reference = enclose(reference_),
                  .offset = start,
                  .velocity = shift() + (end - start),
                  .turn = shorter_turn(from_.rotation(), to_.rotation())},
                 to_);
  }

  Motion speeds() const {
    return twist({.from = from_,
                  .reference = enclose(reference_),
                  .offset = turned(from_, reference_),
                  .velocity = enclose(motion::scaled(recipe_.linear, recipe_.exponent)),
                  .turn = turn_of(recipe_.angular)},
                 std::nullopt);
  }

  Motion screw() const {
    const Turn turn = shorter_turn(from_.rotation(), to_.rotation());
    if (turn.angle == Interval(0))
      return twist({.from = from_, .reference = {}, .offset = {}, .velocity = shift(), .turn = {}}, to_);
    // Below this angle the distance of the axis is more than eight times the distance that the body travels.
    if (turn.angle.hi < 0.125) return Motion(std::make_shared<const ScrewArc>(from_, to_, turn, recipe_));
    const IntervalVector displacement = shift(), along = turn.axis * dot(turn.axis, displacement),
                         across = displacement - along;
    const Interval half = turn.angle * Interval(0.5);
    // The centre c of the arc, from across = (I - Rot) c.
    const IntervalVector centre = (across + cross(turn.axis, across) * (cos(half) / sin(half))) * Interval(0.5);
    return twist({.from = from_,
                  .reference = transposed_times(enclose_rotation(from_.rotation()), centre),
                  .offset = centre,
                  .velocity = along,
                  .turn = turn},
                 to_);
  }

 private:
  IntervalVector shift() const { return enclose(to_.translation()) - enclose(from_.translation()); }
  Motion twist(const Twist::Real& real, std::optional<Pose> end) const {
    return Motion(std::make_shared<const Twist>(real, std::move(end), recipe_));
  }

  const Recipe& recipe_;
  Pose from_, to_;
  Vec3 reference_;
};

}  // namespace

namespace motion {

std::string Recipe::description() const {
  switch (kind) {
    case Kind::still: return describe("still", from);
    case Kind::velocity: return describe("velocity", from, to, reference);
    case Kind::speeds: return describe("speeds", from, linear, angular, reference);
    default: return describe("screw", from, to);
  }
}

Motion Recipe::motion() const {
  const core::FpGuard guard;
  const Maker make(*this);
  switch (kind) {
    case Kind::still: return make.still();
    case Kind::velocity: return make.velocity();
    case Kind::speeds: return make.speeds();
    default: return make.screw();
  }
}

Motion Recipe::scaled(int by) const {
  Recipe other = *this;
  other.exponent += by;
  return other.motion();
}

}  // namespace motion

Still::operator Motion() const { return Recipe{.kind = Recipe::Kind::still, .from = pose}.motion(); }

Velocity::Velocity(const Pose& from, const Pose& to, const Vec3& reference) {
  require_finite(reference, "coordinates of the reference point");
  motion_ = Recipe{.kind = Recipe::Kind::velocity, .from = from, .to = to, .reference = reference}.motion();
}

Velocity Velocity::from_speeds(const Pose& from, const Vec3& linear, const Vec3& angular, const Vec3& reference) {
  require_finite(linear, "linear velocity");
  require_finite(angular, "angular velocity");
  require_finite(reference, "coordinates of the reference point");
  if (!(length(angular) < 0x1p20))
    throw Error(core::problem(ErrorCode::bad_option, "motion",
                              "the angular velocity must be below 2^20 radians per unit of time; split the motion"));
  return Velocity(
      Recipe{.kind = Recipe::Kind::speeds, .from = from, .linear = linear, .angular = angular, .reference = reference}
          .motion());
}

Screw::Screw(const Pose& from, const Pose& to)
    : motion_(Recipe{.kind = Recipe::Kind::screw, .from = from, .to = to}.motion()) {}

}  // namespace graze
