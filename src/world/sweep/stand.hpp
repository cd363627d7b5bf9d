// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>
#include <vector>

#include "world/sweep/sweep.hpp"

namespace graze::world {

/// A body that stopped at a time of its path: its shape and rounded pose.
struct Stand {
  Body body;
  Pose pose;
};
/// Throws `Error` if a number is beyond all doubles.
Stand stand_of(const State& state, const Mover& mover, double t);

/// Where bodies stand if they stop at time t of their paths, and how far that is from their paths at that time.
class Stands {
 public:
  Stands(const State& state, const Movers& movers, double t) : state_(state), movers_(movers), t_(t) {}

  /// Is the pair farther apart, where its bodies stand, than the two are from their paths? It is then also disjoint on
  /// the straight way from the paths to there.
  bool are_apart(PairKey key);

 private:
  struct Known {
    Stand stand;
    double error = 0;           ///< of a rigid body, from its path
    double straight_error = 0;  ///< from the straight lines of the vertices
    bool has_error = false, has_straight_error = false;
  };
  Known& of(std::uint32_t slot);
  double error_of(std::uint32_t slot, bool straight);

  const State& state_;
  const Movers& movers_;
  double t_;
  std::unordered_map<std::uint32_t, Known> known_;
};

/// The answer for a pair whose vertices move straight is about rounded positions at both ends. Where the bodies
/// themselves, at the start or at the end, are not farther apart than that rounding, they count as touching.
void include_ends(const State& state, PairKey key, FirstContactResult& answer);

}  // namespace graze::world
