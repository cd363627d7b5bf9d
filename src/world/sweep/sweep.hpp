// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include <graze/motion/chain.hpp>

#include "world/state.hpp"

namespace graze::world {

/// A body that moved since the last sweep, and its motion.
struct Mover {
  std::uint32_t slot;
  Motion motion;
  bool deforms = false;
};

/// The motions of all bodies between the last sweep and now.
class Movers {
 public:
  Movers(State& state, std::vector<std::uint32_t> slots);

  const std::vector<Mover>& all() const { return all_; }
  const Mover* find(std::uint32_t slot) const;
  /// The motions of two bodies in a common frame: the world, or for two links of one chain their nearest common
  /// ancestor.
  std::pair<Motion, Motion> motions(PairKey key) const;
  /// Does one of the two deform? Then the vertices of both move on straight lines.
  bool is_straight(PairKey key) const;
  /// Transforms the points and normals of an answer to world coordinates.
  void to_world(PairKey key, FirstContactResult& result) const;

 private:
  /// The chain of an articulated body on its moving base.
  const Chain& chain(std::uint32_t articulated);
  /// The link numbers, if both are links of one chain that moved.
  std::optional<std::pair<LinkId, LinkId>> links_of_one_chain(PairKey key) const;

  State& state_;
  std::vector<Mover> all_;  ///< in ascending slot order
  std::unordered_map<std::uint32_t, Chain> chains_;
};

/// A time up to `safe` (before it no pair is within the separation) at which rounding the poses moves none of these
/// pairs within it, or through each other.
double time_to_stand(const State& state, const Movers& movers, const std::vector<PairKey>& pairs, double separation,
                     double safe);

/// Moves a body that moved to its pose at time t of its path; all links of a chain must get the same t. With
/// `keep_rest` the rest of the path becomes the body's destination.
void advance_body(State& state, const Mover& mover, double t, bool keep_rest);
/// Moves the bodies that a budget stopped on to their destinations, so that the next sweep covers the rest of their
/// paths. Returns true if there was any; they must then be placed.
bool resume_paths(State& state);

/// A body at the last sweep and now. Its vertices move on straight lines from the one to the other.
struct StraightBody {
  const Body &from, &to;
  const Pose &pose_from, &pose_to;
};
/// Can the body's points move on straight lines between its two places? Not those of a half-space that turns.
bool has_straight_path(const StraightBody& body);

/// The first contact of two bodies whose points move on straight lines, one of which is a mesh that deforms.
/// `separation` and `solid` (of closed bodies) as for `first_contact`. No tolerance: that of `step`. `work`: 0: no
/// limit; it applies to each pair of pieces. `requested`: gets the counters that only steps have.
FirstContactResult straight_contact(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance,
                                    double separation, bool solid, std::uint64_t work, MethodCounters* requested);

// Its cases, without what is inside what.

/// Two bodies with a `RoundedCore`: by `Deformable::step`.
FirstContactResult mesh_contact(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance,
                                double separation, std::uint64_t work, MethodCounters* requested);
/// A mesh and a half-space that keeps its direction.
FirstContactResult half_space_contact(const StraightBody& body, const StraightBody& plane, double tolerance,
                                      double separation);
/// A mesh and any other convex solid, which keeps its shape.
FirstContactResult convex_contact(const StraightBody& mesh, const StraightBody& solid, double tolerance,
                                  double separation, std::uint64_t work);

}  // namespace graze::world
