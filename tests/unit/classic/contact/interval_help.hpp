// SPDX-License-Identifier: MIT
// Questions put to method `interval` directly, and what dense sampling with the exact discrete test says of them.
#pragma once

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>

#include "classic/contact/interval_method.hpp"
#include "engine/first_contact/own_pair.hpp"
#include "engine/first_contact/pair/kinematics.hpp"

namespace graze::testing {

inline double rounding_of(const Body& a, const Motion& ma, const Body& b, const Motion& mb) {
  if (ma.path().kinematic() && mb.path().kinematic())
    return engine::first_contact::Kinematics(a.data(), ma.path(), b.data(), mb.path()).rounding();
  const FirstContactOptions options;
  const engine::first_contact::Flight flight{a.data(), b.data(), ma.path(), mb.path(), options, 0, 0};
  const engine::first_contact::OwnPairs pairs(flight);
  return std::max({pairs.at(0).error, pairs.at(0.5).error, pairs.at(1).error});
}

inline engine::first_contact::Found interval(const Body& a, const Motion& ma, const Body& b, const Motion& mb,
                                             double tolerance, const FirstContactOptions& options = {}) {
  const double rounding = rounding_of(a, ma, b, mb);
  const engine::first_contact::Flight flight{
      a.data(), b.data(), ma.path(), mb.path(), options, std::max(tolerance, 16 * rounding), rounding};
  engine::first_contact::Found found;
  classic::contact::IntervalMethod::run(flight, found);
  return found;
}

inline Pose pose_at(const Motion& motion, double t) {
  const Placement p = motion.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

/// The first of n + 1 evenly spaced times at which the bodies meet; 2 if none.
inline double sampled(const Body& a, const Motion& ma, const Body& b, const Motion& mb, int n, double until = 1) {
  for (int i = 0; i <= n; ++i) {
    const double t = until * i / n;
    if (collide(a, pose_at(ma, t), b, pose_at(mb, t)).status == Status::contact) return t;
  }
  return 2;
}

inline double distance_at(const Body& a, const Motion& ma, const Body& b, const Motion& mb, double t) {
  return distance(a, pose_at(ma, t), b, pose_at(mb, t)).distance;
}

}  // namespace graze::testing
