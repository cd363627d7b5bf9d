// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include "engine/first_contact/own_pair.hpp"
#include "engine/first_contact/pair/pair_motion.hpp"

namespace graze::engine::first_contact {

/// A vertex, an edge or a triangle of a body in its own coordinates: three points, the last one repeated.
using LocalPoints = std::array<Vec3, 3>;

/// Two bodies with any motions: kinematic motions are stepped by `PairMotion`, user-defined ones by `OwnPairs`. Const
/// and thread-safe.
class Stage {
 public:
  explicit Stage(const Flight& flight);

  /// Both bodies at one instant, relative to a point near them.
  struct Instant {
    double t;
    Moment moment;            ///< of kinematic motions
    OwnPairs::Moment places;  ///< of user-defined motions
    double error;             ///< bounds the sum of the position errors of a point of A and one of B
    Vec3 origin;              ///< that point in the world, rounded
  };
  Instant at(double t) const;

  MovingPair place(const Instant& now, const LocalPoints& a, const LocalPoints& b) const;

  /// The end of a step from now during which the hulls of the points stay more than `target` apart along n (unit, from
  /// A to B); now.t itself if nothing is certified; infinity if it goes beyond 1.
  double step(const Instant& now, const MovingPair& p, const LocalPoints& a, const LocalPoints& b, const Vec3& n,
              double target) const;

  bool kinematic() const { return kinematics_.has_value(); }
  const Flight& flight() const { return f_; }
  const OwnPairs& own() const { return own_; }

 private:
  const Flight& f_;
  std::optional<Kinematics> kinematics_;
  std::optional<PairMotion> pairs_;
  OwnPairs own_;
};

}  // namespace graze::engine::first_contact
