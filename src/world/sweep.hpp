// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include <graze/motion/chain.hpp>

#include "world/state.hpp"

namespace graze::world {

/// A body that moved since the last sweep, and how.
struct Mover {
  std::uint32_t slot;
  Motion motion;
  bool deforms = false;
};

/// How everything moves between the last sweep and now.
class Movers {
 public:
  Movers(State& state, std::vector<std::uint32_t> slots);

  const std::vector<Mover>& all() const { return all_; }
  const Mover* find(std::uint32_t slot) const;
  /// The motions of two bodies in a frame that they share: the world, or for two links of one chain their nearest
  /// common ancestor.
  std::pair<Motion, Motion> motions(PairKey key) const;
  /// Takes places and normals of an answer to the world.
  void to_world(PairKey key, FirstContactResult& result) const;

 private:
  /// The chain of an articulated body on its moving base.
  const Chain& chain(std::uint32_t articulated);
  /// The links' numbers, if both are links of one chain that moved.
  std::optional<std::pair<LinkId, LinkId>> links_of_one_chain(PairKey key) const;

  State& state_;
  std::vector<Mover> all_;  ///< by slot
  std::unordered_map<std::uint32_t, Chain> chains_;
};

Pose pose_of(const Placement& placement);

/// Where a body was at the last sweep, and where it is now: its vertices go straight from there to here.
struct StraightBody {
  const Body &from, &to;
  const Pose &pose_from, &pose_to;
};
/// The first contact of two bodies whose vertices go straight.
FirstContactResult straight_contact(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance);

}  // namespace graze::world
