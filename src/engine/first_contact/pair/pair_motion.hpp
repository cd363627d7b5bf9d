// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <graze/core/method_counters.hpp>

#include "engine/first_contact/pair/budget.hpp"
#include "engine/first_contact/pair/kinematics.hpp"
#include "engine/proof/frame.hpp"
#include "prim/closest.hpp"

namespace graze::engine::first_contact {

/// Two triangles at one instant: places and velocities of their corners.
struct MovingPair {
  std::array<Vec3, 3> a, b;          ///< corners
  std::array<Vec3, 3> arm_a, arm_b;  ///< from the reference points
};

using proof::Frame;

/// A step of a proof: apart along n until then, from where the step before ended. A direction that turns with a body is
/// given in that body's own axes.
struct PairStep {
  Vec3 n;
  double until;
  Frame frame = Frame::world;
};

/// Steps of two triangles along separating directions (docs/design.md 4, the elementary loop with the turning bounds).
/// All in doubles, the same on every processor.
class PairMotion {
 public:
  /// `ignore_start`: triangles that start within the tolerance but open at once do not touch.
  PairMotion(const body::BodyData& a, const body::BodyData& b, const Kinematics& kinematics, double tolerance,
             bool ignore_start = false)
      : a_(a), b_(b), kinematics_(kinematics), tolerance_(tolerance), ignore_start_(ignore_start) {}

  MovingPair place(const Moment& m, std::uint32_t ta, std::uint32_t tb) const;

  /// How long after the moment, at least, the triangles stay more than `target` apart along n (unit, from A to B): the
  /// largest step up to 2 that the bounds below prove (time ends at 1); 0 if they are not so far apart now.
  double safe_time(const Moment& m, const MovingPair& p, const Vec3& n, double target) const;

  /// The normal of one of the triangles, from A to B, along which they stay more than `target` apart until the end.
  std::optional<Vec3> parting_face(const Moment& m, const MovingPair& p, double target) const;

  /// The same along a direction that turns with A, or with B, from n on: 0 if that body's motion is no twist. Where a
  /// long triangle turns, its far corners are fast along every direction that stays; along one that turns with it they
  /// stand still, and the step depends on the other triangle and what is near it.
  double safe_time_turning(const Moment& m, const MovingPair& p, const Vec3& n, bool with_b, double target) const;

  /// Takes the longer of these two steps, of a body with a corner that is much faster than it is where the triangles
  /// are closest, if it is longer than `step`. `may_turn` remembers from step to step of a pair whether that can be.
  void lengthen_turning(const Moment& m, const MovingPair& p, const prim::ClosestPair& closest, const Vec3& n,
                        double target, std::optional<bool>& may_turn, double& step, Frame& frame) const;

  /// The triangles' own story, from t = 0: the first time at which a step ends with them within the tolerance, and
  /// before which they are certified apart; infinity if that is not before or at `until` <= 1. A pure function of the
  /// motions, the triangles and the tolerance (docs/design.md 2: solved canonically from the start). None if the budget
  /// ends before.
  std::optional<double> solve(std::uint32_t ta, std::uint32_t tb, double until, Budget& budget, AllCounters& counters,
                              std::vector<PairStep>* steps = nullptr) const;

  /// The closest direction less its part along the way that the closest points pass each other: what will miss is apart
  /// in this direction and stays so. Unit.
  Vec3 passing_line(const Moment& m, const prim::ClosestPair& c) const;

  /// Where two triangles that are `distance` apart at t come nearest next, about: a later distance that is no larger,
  /// and its time.
  struct Nearest {
    double distance, time;
  };
  Nearest nearest_after(std::uint32_t ta, std::uint32_t tb, double t, double distance) const;

  /// Triangles near or in touch that part along some direction: a time after which they are more than the tolerance
  /// apart, having gained distance along it all the while; infinity if they part for good; 0 if they do not part.
  double opening_time(const Moment& m, const MovingPair& p) const;

  double tolerance() const { return tolerance_; }
  double rounding() const { return kinematics_.rounding(); }
  const Kinematics& kinematics() const { return kinematics_; }

 private:
  const body::BodyData& a_;
  const body::BodyData& b_;
  const Kinematics& kinematics_;
  double tolerance_;
  bool ignore_start_;
};

/// A direction in the world along the axes of what it turns with.
Vec3 in_axes(Frame frame, const Moment& m, const Vec3& n);

/// The distance of the closest points, at every scale.
double distance_of(const prim::ClosestPair& c);

/// A direction along which two triangles that are apart are separated, from A to B, of unit length; the closest
/// direction `c` if that is good enough. `apart` is the separation along it: at least three quarters of the distance
/// of c, less 16 eps of the coordinates, if they do not cross. Where doubles found c badly it is mended.
struct Separation {
  Vec3 n;
  double apart;
};
Separation best_separation(const MovingPair& p, prim::ClosestPair& c);
/// The same with directions that are not tilted by the rounding of the closest points, in exact arithmetic unless one
/// from the triangles' features is apart by `enough` (or `known` is).
Separation sharp_separation(const MovingPair& p, const Separation& known, double enough, prim::ClosestPair& c);

}  // namespace graze::engine::first_contact
