// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_set>

#include "query/first_contact/clocks.hpp"
#include "query/first_contact/kinematics.hpp"
#include "query/first_contact/method.hpp"
#include "query/first_contact/own_pair.hpp"
#include "query/first_contact/pair_motion.hpp"

namespace graze::query {

/// Triangle pairs that came near: each is solved once, by itself and from t = 0, so that its time depends on nothing
/// that the search did; the earliest of them, the lowest ids among equals, is the answer (DESIGN 2).
class NearPairs {
 public:
  explicit NearPairs(const Flight& flight) : own_(flight) {
    if (flight.motion_a.kinematic() && flight.motion_b.kinematic()) {
      kinematics_.emplace(flight.a, flight.motion_a, flight.b, flight.motion_b);
      pairs_.emplace(flight.a, flight.b, *kinematics_, flight.tolerance, flight.options.ignore_start_if_separating);
    }
  }
  NearPairs(const NearPairs&) = delete;
  NearPairs& operator=(const NearPairs&) = delete;

  bool solved(std::uint32_t a, std::uint32_t b) const { return !seen_.empty() && seen_.contains(key(a, b)); }
  /// False: the budget ran out.
  bool solve(std::uint32_t a, std::uint32_t b, Budget& budget, Counters& counters) {
    seen_.insert(key(a, b));
    const double until = earliest_.limit();
    const std::optional<double> touch =
        pairs_ ? pairs_->solve(a, b, until, budget, counters) : own_.solve(a, b, until, budget, counters);
    if (touch) earliest_.offer(*touch, a, b);
    return touch.has_value();
  }
  const Earliest& earliest() const { return earliest_; }

  /// Of two motions that have velocities; else none, and `own` knows where the bodies are.
  const std::optional<Kinematics>& kinematics() const { return kinematics_; }
  const OwnPairs& own() const { return own_; }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

  std::optional<Kinematics> kinematics_;
  std::optional<PairMotion> pairs_;
  OwnPairs own_;
  Earliest earliest_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace graze::query
