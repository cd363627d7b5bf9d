// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "world/sweep/sweep.hpp"

namespace graze::world {

/// A body that stopped at a time of its path: its shape and rounded pose.
struct Stand {
  Body body;
  Pose pose;
};
/// Points of a body, in its own coordinates. Where each moves on a straight line, so does every point of the body, and
/// none is farther from where it would be than one of these: the vertices of a mesh or of a `RoundedCore`, the corners
/// of the box of any other body, which keeps its shape. Of a half-space, its origin alone.
std::vector<Vec3> carrying_points(const Body& body);
/// Throws `Error` if a number is beyond all doubles.
Stand stand_of(const State& state, const Mover& mover, double t);
/// The same for a body that may be at rest.
Stand stand_at(const State& state, const Movers& movers, std::uint32_t slot, double t);

/// Where bodies stand if they stop at time t of their paths, and how far that is from their paths at that time.
///
/// A sweep that keeps a separation begins where the last one ended. A start that is beyond the separation by less than
/// rounding hides is a contact at time 0, whatever the bodies do next: they could never leave, because a start that
/// opens is not ignored with a separation. And every push towards each other may halve what is left above it. So bodies
/// must also stand with some room above the separation, many times what rounding hides. Pairs that have less at the
/// start (placed so, or moved there exactly) may not come nearer, but may slide or part.
class Stands {
 public:
  Stands(const State& state, const Movers& movers, double separation, double t)
      : state_(state), movers_(movers), separation_(separation), t_(t) {}

  /// Is the pair farther apart, where its bodies stand, than the separation and the distances of the two from their
  /// paths? It is then also farther apart than the separation on the straight way from the paths to there. With a
  /// separation: has it room to leave, too?
  bool are_apart(PairKey key);

 private:
  struct Known {
    Stand stand;
    std::optional<double> error = {};           ///< of a rigid body, from its path
    std::optional<double> straight_error = {};  ///< from the straight lines of its points
  };
  Known& of(std::uint32_t slot);
  /// `other`: its partner, of which a half-space's depends.
  double error_of(std::uint32_t slot, std::uint32_t other, bool straight);
  /// How far from its origin a half-space matters to its partner.
  double reach_of(std::uint32_t slot, std::uint32_t other);
  /// The magnitude of the numbers that place a body along its path.
  double size_of_path(std::uint32_t slot);
  /// So much above the separation a start can be left: `first_contact` needs 32 times its rounding bound, which is some
  /// tens of eps of the sizes, and 1e-10 of the separation. This is many times that.
  double room(PairKey key);
  /// Are the bodies, where they stand, farther apart than the separation, the errors and that room?
  bool has_room(PairKey key, double errors);
  /// Are the bodies, where they stand, about as far apart as at the start of the sweep, or farther?
  bool keeps_its_distance(PairKey key);

  const State& state_;
  const Movers& movers_;
  double separation_;
  double t_;
  std::unordered_map<std::uint32_t, Known> known_;
};

/// The answer for a pair whose vertices move straight is about rounded positions at both ends. Where the bodies
/// themselves, at the start or at the end, are not farther apart than that rounding and the separation, they count as
/// touching.
void include_ends(const State& state, PairKey key, double separation, FirstContactResult& answer);

}  // namespace graze::world
