// SPDX-License-Identifier: MIT
// Part of graze/ompl.hpp.
#pragma once

#include <graze/core/export.hpp>  // first: it says that C++20 is needed

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/SE3StateSpace.h>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/motion/motion.hpp>
#include <graze/ompl/motion_validator.hpp>
#include <graze/robot/robot.hpp>

namespace graze {

/// A rigid body among bodies at rest, for `ompl::base::SE3StateSpace`.
struct RigidScene {
  Body body;
  std::vector<Obstacle> obstacles;  ///< `may_touch` is not looked at
  double min_separation = 0;        ///< that the body must keep from all
  /// A state inside of a closed mesh, or around one, is not valid. (Edges need not ask: who starts outside stays
  /// there.)
  bool solid = false;

  /// That the surfaces of the two must keep.
  double separation(const Obstacle& obstacle) const {
    if (min_separation == 0 || obstacle.radius == 0) return min_separation + obstacle.radius;
    return std::nextafter(min_separation + obstacle.radius, std::numeric_limits<double>::infinity());
  }
  /// Is the body free at a pose, decided exactly?
  bool is_free(const Pose& pose) const {
    CollideOptions options;
    options.solid = solid;
    for (const Obstacle& o : obstacles) {
      const double kept = separation(o);
      if (kept > 0 && within(kept, body, pose, o.body, o.pose).status != Status::free) return false;
      if (collide(body, pose, o.body, o.pose, options).status != Status::free) return false;
    }
    return true;
  }
};

/// The pose of a state of `ompl::base::SE3StateSpace`, exactly.
inline Pose rigid_pose(const ::ompl::base::State* state) {
  const auto& s = *state->as<::ompl::base::SE3StateSpace::StateType>();
  const auto& q = s.rotation();
  return Pose({s.getX(), s.getY(), s.getZ()}, Quat{q.w, q.x, q.y, q.z});
}

/// The motion that OMPL interpolates between two states of `ompl::base::SE3StateSpace`: the origin on a straight line,
/// the rotation by the smaller angle at constant speed, as `Velocity`. In two legs, one after another, where it is
/// none:
///
/// - Near a half turn, where rounding may decide which way OMPL turns: through OMPL's own state at half time.
/// - Rotations nearer to each other than about 9e-5 radians are equal for OMPL, which keeps the first until the end:
///   first the line, then, at time 1, the turn.
///
/// States that OMPL interpolates are rounded, and so near this motion, not on it.
struct RigidEdge {
  std::array<Motion, 2> legs;
  int count = 1;
  bool turns_at_end = false;  ///< the second leg takes no time

  RigidEdge(const ::ompl::base::StateSpace& space, const ::ompl::base::State* from, const ::ompl::base::State* to) {
    const Pose a = rigid_pose(from), b = rigid_pose(to);
    const Quat &p = a.rotation(), &q = b.rotation();
    const double cosine = std::fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);  // of half the angle
    const bool half_turn = cosine<1e-6, nearly_same = cosine> 1 - 2e-9 && !same(p, q);
    if (half_turn || nearly_same) {
      const Pose middle = at_half(space, from, to);
      turns_at_end = nearly_same && same(middle.rotation(), p);
      const Pose via = turns_at_end ? Pose(b.translation(), p) : middle;
      if (half_turn || turns_at_end) {
        legs = {Velocity(a, via), Velocity(via, b)};
        count = 2;
        return;
      }
    }
    legs[0] = Velocity(a, b);
  }

  /// The time of the whole at a time of a leg.
  double time(int leg, double in_leg) const {
    if (count == 1) return in_leg;
    if (turns_at_end) return leg == 0 ? in_leg : 1;
    return 0.5 * (leg + in_leg);
  }

 private:
  static bool same(const Quat& p, const Quat& q) { return p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z; }
  static Pose at_half(const ::ompl::base::StateSpace& space, const ::ompl::base::State* from,
                      const ::ompl::base::State* to) {
    ::ompl::base::State* const half = space.allocState();
    space.interpolate(from, to, 0.5, half);
    const Pose pose = rigid_pose(half);
    space.freeState(half);
    return pose;
  }
};

/// Is the body free at a state, decided exactly?
class RigidStateValidityChecker : public ::ompl::base::StateValidityChecker {
 public:
  RigidStateValidityChecker(const ::ompl::base::SpaceInformationPtr& si, std::shared_ptr<const RigidScene> scene)
      : StateValidityChecker(si), scene_(std::move(scene)) {
    specs_.clearanceComputationType = ::ompl::base::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE;
  }

  bool isValid(const ::ompl::base::State* state) const override {
    return si_->satisfiesBounds(state) && scene_->is_free(rigid_pose(state));
  }

  /// No obstacle is nearer than this; infinity without any.
  double clearance(const ::ompl::base::State* state) const override {
    const Pose pose = rigid_pose(state);
    const DistanceOptions options;
    double least = std::numeric_limits<double>::infinity();
    for (const Obstacle& o : scene_->obstacles)
      least = std::min(
          least,
          distance(scene_->body, pose, o.body, o.pose, options).distance * (1 - 2 * options.relative_error) - o.radius);
    return std::max(0.0, least);
  }

 private:
  std::shared_ptr<const RigidScene> scene_;
};

/// Is the motion between two states free, certified, as `RigidEdge` has it? A motion that a limit or a mistake leaves
/// undecided is not valid.
class RigidMotionValidator : public detail::CertifiedMotionValidator {
 public:
  RigidMotionValidator(const ::ompl::base::SpaceInformationPtr& si, std::shared_ptr<const RigidScene> scene)
      : CertifiedMotionValidator(si), scene_(std::move(scene)) {
    for (const Obstacle& o : scene_->obstacles) at_rest_.push_back(Still{o.pose});
  }

 protected:
  bool is_free(const State* from, const State* to) const override {
    if (!si_->satisfiesBounds(to) || touches_at_probes(from, to)) return false;
    const RigidEdge edge(*si_->getStateSpace(), from, to);
    FirstContactOptions options;
    MotionFreeResult result;
    for (std::size_t i = 0; i < at_rest_.size(); ++i)
      for (int leg = 0; leg < edge.count; ++leg) {
        const Obstacle& o = scene_->obstacles[i];
        options.min_separation = scene_->separation(o);
        motion_free(scene_->body, edge.legs[static_cast<std::size_t>(leg)], o.body, at_rest_[i], options, result);
        if (result.status != Status::free) return false;
      }
    return true;
  }

  double free_until(const State* from, const State* to) const override {
    const RigidEdge edge(*si_->getStateSpace(), from, to);
    double until = 1;
    FirstContactOptions options;
    for (const Obstacle& o : scene_->obstacles)
      for (int leg = 0; leg < edge.count; ++leg) {
        options.min_separation = scene_->separation(o);
        const FirstContactResult result =
            first_contact(scene_->body, edge.legs[static_cast<std::size_t>(leg)], o.body, Still{o.pose}, options);
        if (result.status == Status::free) continue;
        until = std::min(until, result.status == Status::invalid_request ? 0 : edge.time(leg, result.time.safe));
        break;
      }
    return until;
  }

 private:
  /// Most edges of a planner touch, and most of these at one of a few states: the end first, then the middle and so on.
  bool touches_at_probes(const State* from, const State* to) const {
    if (!scene_->is_free(rigid_pose(to))) return true;
    const ::ompl::base::StateSpacePtr& space = si_->getStateSpace();
    State* const there = space->allocState();
    bool touches = false;
    for (int stride = 8; stride > 0 && !touches; stride /= 2)
      for (int k = stride; k < 16 && !touches; k += 2 * stride) {
        space->interpolate(from, to, k / 16.0, there);
        touches = !scene_->is_free(rigid_pose(there));
      }
    space->freeState(there);
    return touches;
  }

  std::shared_ptr<const RigidScene> scene_;
  std::vector<Motion> at_rest_;  ///< by obstacle
};

}  // namespace graze
