// SPDX-License-Identifier: MIT
#pragma once

#include "classic/fast/advancement_distance.hpp"
#include "classic/fast/advancement_front.hpp"
#include "classic/fast/advancement_pairs.hpp"
#include "engine/first_contact/pair/method.hpp"

namespace graze::classic::fast {

/// One query of `advancement`: FAST's Algorithms 1, 2 and 3.
///
/// At each step all unsolved triangle pairs are more than the tolerance apart, and stay so until the next step. Pairs
/// that come near are solved individually (NearPairs) and then skipped; when the search time reaches the earliest of
/// their times, or 1, the answer is known. It depends on those solutions alone: fronts, features and switches only
/// change how long the search takes.
class AdvancementSearch {
 public:
  AdvancementSearch(const engine::first_contact::Flight& flight, const HullTree& tree_a, const HullTree& tree_b,
                    engine::first_contact::Found& found);

  void run();

 private:
  /// One pass over the front at time_: false if the query is answered (or out of budget).
  bool advance();
  void set_time();
  void look_again();
  void traverse_all_pieces();
  double visit(std::uint32_t i);
  double ball_gap(std::uint32_t i);
  double settle(std::uint32_t i, const HullGap& gap);
  HullGap measure(std::uint32_t i);
  bool must_descend(const PairTree::Pair& p, const HullGap& gap);
  double descend(std::uint32_t i, const HullGap& gap);
  void closest_so_far(double distance, std::uint32_t ta, std::uint32_t tb);
  bool is_mesh_feature(const body::BodyData& body, const HullTree& tree, std::uint32_t node,
                       const std::array<std::uint32_t, 4>& corners, int size) const;
  double step_of(const PairTree::Pair& pair, const HullGap& gap);
  double own_step(const HullTree::Node& na, const HullTree::Node& nb, const HullGap& gap) const;
  void recall();
  void remember();
  void answer();

  bool triangles(const PairTree::Pair& p) const { return a_.tree()[p.a].leaf && b_.tree()[p.b].leaf; }
  double horizon() const { return near_pairs_.earliest().limit(); }

  const engine::first_contact::Flight& flight_;
  const AdvancementOptions& options_;
  engine::first_contact::Found& found_;
  AllCounters& counters_;
  NearPairs near_pairs_;
  Mover a_, b_;
  HullDistance distance_;
  PairTree front_;

  core::Steps budget_;
  double keep_ = 0;  ///< steps end before separations fall to this: then triangles are more than the tolerance apart
  double near_ = 0;  ///< below this a pair is near; so every step gains at least half a tolerance
  double time_ = 0;
  double step_ = 0;     ///< the step that all pairs processed so far allow
  double nearest_ = 0;  ///< distance of the closest triangles processed so far, except solved pairs
  bool fresh_ = true;   ///< the pair was not on the last front
  bool stopped_ = false;
  std::uint32_t nearest_a_ = 0, nearest_b_ = 0;
  bool have_nearest_ = false;
};

}  // namespace graze::classic::fast
