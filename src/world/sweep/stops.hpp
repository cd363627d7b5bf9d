// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "world/sweep/sweep.hpp"

namespace graze::world {

/// When a pair was last known to be apart on its path, and whether it touches then (otherwise a limit left it open).
struct PairEnd {
  PairKey key;
  double safe;
  bool touches;
};

/// When each body stops, if only bodies that touch stop (`SweepOptions::each`).
///
/// Moving bodies whose paths have overlapping boxes form groups: connected components of such pairs. Each group moves
/// up to the time t of its first contact. Up to then no pair touches: the bodies of one group move together in time, as
/// they were tested; those of two groups cannot meet, whenever each of them moves, because the boxes of their whole
/// paths are apart; and a pair with a resting body was tested. Then the bodies of the touching pairs stop, and the
/// others keep the rest of their path (`BodyRecord::destination`) for the next sweep, where the stopped ones rest. Each
/// such sweep stops at least one body of every group that has a contact.
class Stops {
 public:
  /// All pairs of interest whose paths have overlapping boxes, and those of them that end. With a separation, "to
  /// touch" means to be within it; boxes have it in their margins, so bodies of two groups are farther apart than that.
  Stops(const State& state, const Movers& movers, const std::vector<PairKey>& near, const std::vector<PairEnd>& ends,
        double separation);

  /// The time of its path at which the body's group stops; 1: at the end of the path.
  double time(std::uint32_t slot) const;
  /// The least of both.
  double time(PairKey key) const { return std::min(time(first(key)), time(second(key))); }
  /// Does the body stop there for good?
  bool is_final(std::uint32_t slot) const;
  /// Is this contact one that stops bodies now? Others may never happen.
  bool stops(const PairEnd& end) const;

  /// Moves the bodies. Returns true if some have a rest of their path left.
  bool apply(State& state) const;

 private:
  struct Group {
    double ends = 2;   ///< the first end of a pair; above 1: none
    double stand = 1;  ///< where the bodies stop: there, or a little before, where poses are rounded
    std::vector<PairKey> pairs;
  };

  bool moves(std::uint32_t slot) const;
  const Group* group(std::uint32_t slot) const;

  const State& state_;
  const Movers& movers_;
  std::unordered_map<std::uint32_t, std::size_t> group_of_;  ///< of the moving bodies
  std::unordered_map<std::size_t, Group> groups_;
  std::unordered_set<std::uint32_t> final_;
};

}  // namespace graze::world
