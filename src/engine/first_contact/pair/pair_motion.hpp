// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <graze/core/method_counters.hpp>

#include "core/limits.hpp"
#include "engine/first_contact/pair/kinematics.hpp"
#include "engine/proof/frame.hpp"
#include "prim/closest/closest.hpp"

namespace graze::engine::first_contact {

/// Two triangles at one instant: corners and their arms.
struct MovingPair {
  std::array<Vec3, 3> a, b;          ///< corners
  std::array<Vec3, 3> arm_a, arm_b;  ///< from the reference points
};

using proof::Frame;

/// A step of a proof: apart along n from the end of the previous step until `until`. A direction that turns with a body
/// is given in that body's own axes.
struct PairStep {
  Vec3 n;
  double until;
  Frame frame = Frame::world;
};

/// Steps of two triangles along separating directions (docs/design.md 4, the elementary loop with the turning bounds).
/// All in doubles, the same on every processor.
class PairMotion {
 public:
  /// `ignore_start`: triangles that start within the tolerance but separate immediately do not count as contact.
  /// `separation`: they are kept farther apart than this; it is below the tolerance, by the tolerance of the query.
  PairMotion(const body::BodyData& a, const body::BodyData& b, const Kinematics& kinematics, double tolerance,
             bool ignore_start = false, double separation = 0)
      : a_(a),
        b_(b),
        kinematics_(kinematics),
        tolerance_(tolerance),
        separation_(separation),
        ignore_start_(ignore_start) {}

  MovingPair place(const Moment& m, std::uint32_t ta, std::uint32_t tb) const;

  /// A time span after the moment during which the triangles stay more than `target` apart along n (unit, from A to B):
  /// the largest step up to 2 that the bounds prove (time ends at 1); 0 if they are not that far apart now.
  double safe_time(const Moment& m, const MovingPair& p, const Vec3& n, double target) const;

  /// The normal of one of the triangles, from A to B, along which they stay more than `target` apart until the end.
  std::optional<Vec3> parting_face(const Moment& m, const MovingPair& p, double target) const;

  /// The same along a direction that starts at n and turns with A, or with B; 0 if the motion of that body is not a
  /// twist. Where a long triangle turns, its far corners are fast along every fixed direction. Along a direction that
  /// turns with it they do not move, and the step depends on the speeds of the other triangle and near it.
  double safe_time_turning(const Moment& m, const MovingPair& p, const Vec3& n, bool with_b, double target) const;

  /// Replaces `step` by the longer of these two steps if that is longer still. Only a body with a corner much faster
  /// than its closest point is tried. `may_turn` caches, for the steps of one pair, whether that is possible at all.
  void lengthen_turning(const Moment& m, const MovingPair& p, const prim::ClosestPair& closest, const Vec3& n,
                        double target, std::optional<bool>& may_turn, double& step, Frame& frame) const;

  /// Solves a triangle pair from t = 0: the first time at which a step ends with the triangles within the tolerance,
  /// and before which they are certified apart; infinity if that is not before or at `until` <= 1. A pure function of
  /// the motions, the triangles and the tolerance (docs/design.md 2: solved canonically from the start). None if the
  /// budget runs out.
  std::optional<double> solve(std::uint32_t ta, std::uint32_t tb, double until, core::Steps& budget,
                              AllCounters& counters, std::vector<PairStep>* steps = nullptr) const;

  /// The closest direction less its part along the relative velocity of the closest points: triangles that will miss
  /// each other are apart in this direction and stay so. Unit.
  Vec3 passing_line(const Moment& m, const prim::ClosestPair& c) const;

  /// The next local minimum, approximately, of the distance of two triangles that are `distance` apart at t: a later
  /// distance that is no larger, and its time.
  struct Nearest {
    double distance, time;
  };
  Nearest nearest_after(std::uint32_t ta, std::uint32_t tb, double t, double distance) const;

  /// For triangles that are near or touch, and separate along some direction: a time after which they are more than the
  /// tolerance apart, with the distance along it increasing until then; infinity if they stay apart until the end; 0 if
  /// they do not separate.
  double opening_time(const Moment& m, const MovingPair& p) const;

  double tolerance() const { return tolerance_; }
  double separation() const { return separation_; }
  double rounding() const { return kinematics_.rounding(); }
  const Kinematics& kinematics() const { return kinematics_; }

 private:
  const body::BodyData& a_;
  const body::BodyData& b_;
  const Kinematics& kinematics_;
  double tolerance_, separation_;
  bool ignore_start_;
};

/// A world direction in the axes of the frame that it turns with.
Vec3 in_axes(Frame frame, const Moment& m, const Vec3& n);

/// The distance of the closest points, at every scale.
double distance_of(const prim::ClosestPair& c);

/// A direction along which two triangles that are apart are separated, from A to B, of unit length; the closest
/// direction `c` if that is good enough. `apart` is the separation along it: at least three quarters of the distance
/// of c, less 16 eps of the coordinates, if they do not cross. Where double precision computed c inaccurately, c is
/// corrected.
struct Separation {
  Vec3 n;
  double apart;
};
Separation best_separation(const MovingPair& p, prim::ClosestPair& c);
/// The same with directions that are not tilted by the rounding of the closest points. Exact arithmetic is used unless
/// a direction from the features of the triangles (or `known`) separates by `enough`.
Separation sharp_separation(const MovingPair& p, const Separation& known, double enough, prim::ClosestPair& c);

}  // namespace graze::engine::first_contact
