// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_set>

#include "engine/first_contact/clocks/clocks.hpp"
#include "engine/first_contact/own_pair.hpp"
#include "engine/first_contact/pair/kinematics.hpp"
#include "engine/first_contact/pair/method.hpp"
#include "engine/first_contact/pair/pair_motion.hpp"

namespace graze::classic::fast {

/// Triangle pairs that came near. Each is solved once, independently and from t = 0, so that its time does not depend
/// on the search; the earliest, with the lowest ids among equals, is the answer (docs/design.md 2).
class NearPairs {
 public:
  explicit NearPairs(const engine::first_contact::Flight& flight) : own_(flight) {
    if (flight.motion_a.kinematic() && flight.motion_b.kinematic()) {
      kinematics_.emplace(flight.a, flight.motion_a, flight.b, flight.motion_b);
      pairs_.emplace(flight.a, flight.b, *kinematics_, flight.tolerance, flight.options.ignore_start_if_separating);
    }
  }
  NearPairs(const NearPairs&) = delete;
  NearPairs& operator=(const NearPairs&) = delete;

  bool solved(std::uint32_t a, std::uint32_t b) const { return !seen_.empty() && seen_.contains(key(a, b)); }
  /// False: the budget is exhausted.
  bool solve(std::uint32_t a, std::uint32_t b, core::Steps& budget, AllCounters& counters) {
    seen_.insert(key(a, b));
    const double until = earliest_.limit();
    const std::optional<double> touch =
        pairs_ ? pairs_->solve(a, b, until, budget, counters) : own_.solve(a, b, until, budget, counters);
    if (touch) earliest_.offer(*touch, a, b);
    return touch.has_value();
  }
  const engine::first_contact::Earliest& earliest() const { return earliest_; }

  /// Set if both motions have velocities; otherwise none, and `own` provides the positions of the bodies.
  const std::optional<engine::first_contact::Kinematics>& kinematics() const { return kinematics_; }
  const engine::first_contact::OwnPairs& own() const { return own_; }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

  std::optional<engine::first_contact::Kinematics> kinematics_;
  std::optional<engine::first_contact::PairMotion> pairs_;
  engine::first_contact::OwnPairs own_;
  engine::first_contact::Earliest earliest_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace graze::classic::fast
