// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <graze/core/counters.hpp>

#include "prim/closest.hpp"
#include "query/first_contact/budget.hpp"
#include "query/first_contact/kinematics.hpp"

namespace graze::query {

/// Two triangles at one instant: places and velocities of their corners.
struct MovingPair {
  std::array<Vec3, 3> a, b;          ///< corners
  std::array<Vec3, 3> arm_a, arm_b;  ///< from the reference points
};

/// A step of a proof: apart along n until then, from where the step before ended.
struct PairStep {
  Vec3 n;
  double until;
};

/// Steps of two triangles along separating directions (DESIGN 4, the elementary loop with the turning bounds). All in
/// doubles, the same on every processor.
class PairMotion {
 public:
  /// `ignore_start`: triangles that start within the tolerance but open at once do not touch.
  PairMotion(const BodyData& a, const BodyData& b, const Kinematics& kinematics, double tolerance,
             bool ignore_start = false)
      : a_(a), b_(b), kinematics_(kinematics), tolerance_(tolerance), ignore_start_(ignore_start) {}

  MovingPair place(const Moment& m, std::uint32_t ta, std::uint32_t tb) const;

  /// How long after the moment, at least, the triangles stay more than `target` apart along n (unit, from A to B): the
  /// largest step up to 2 that the bounds below prove (time ends at 1); 0 if they are not so far apart now.
  double safe_time(const Moment& m, const MovingPair& p, const Vec3& n, double target) const;

  /// The triangles' own story, from t = 0: the first time at which a step ends with them within the tolerance, and
  /// before which they are certified apart; infinity if that is not before or at `until` <= 1. A pure function of the
  /// motions, the triangles and the tolerance (DESIGN 2: solved canonically from the start). None if the budget ends
  /// before.
  std::optional<double> solve(std::uint32_t ta, std::uint32_t tb, double until, Budget& budget, Counters& counters,
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
  const BodyData& a_;
  const BodyData& b_;
  const Kinematics& kinematics_;
  double tolerance_;
  bool ignore_start_;
};

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

}  // namespace graze::query
