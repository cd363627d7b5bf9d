// SPDX-License-Identifier: MIT
#pragma once

#include "query/first_contact/advancement_distance.hpp"
#include "query/first_contact/advancement_front.hpp"
#include "query/first_contact/advancement_pairs.hpp"
#include "query/first_contact/method.hpp"

namespace graze::query {

/// One query of `advancement`: FAST's Algorithms 1, 2 and 3.
///
/// At each step all pairs of triangles that have not been solved are more than the tolerance apart, and stay so until
/// the next one. Pairs that come near are solved by themselves (NearPairs) and no longer looked at; when the clock
/// reaches the earliest of their times, or 1, the answer is known. It depends on those solutions alone: fronts,
/// features and switches change how long the search takes, and nothing else.
class AdvancementSearch {
 public:
  AdvancementSearch(const Flight& flight, const HullTree& tree_a, const HullTree& tree_b, Found& found);

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
  bool is_mesh_feature(const BodyData& body, const HullTree& tree, std::uint32_t node,
                       const std::array<std::uint32_t, 4>& corners, int size) const;
  double step_of(const PairTree::Pair& pair, const HullGap& gap);
  double own_step(const HullTree::Node& na, const HullTree::Node& nb, const HullGap& gap) const;
  void recall();
  void remember();
  void answer();

  bool triangles(const PairTree::Pair& p) const { return a_.tree()[p.a].leaf && b_.tree()[p.b].leaf; }
  double horizon() const { return near_pairs_.earliest().limit(); }

  const Flight& flight_;
  const AdvancementOptions& options_;
  Found& found_;
  Counters& counters_;
  NearPairs near_pairs_;
  Mover a_, b_;
  HullDistance distance_;
  PairTree front_;

  Budget budget_;
  double keep_ = 0;  ///< steps end before separations fall to this: then triangles are more than the tolerance apart
  double near_ = 0;  ///< below this a pair is near; so every step is worth half a tolerance at least
  double time_ = 0;
  double step_ = 0;     ///< how far all pairs looked at so far allow to go
  double nearest_ = 0;  ///< distance of the closest triangles looked at so far, not counting those solved
  bool fresh_ = true;   ///< the pair was not on the last front
  bool stopped_ = false;
  std::uint32_t nearest_a_ = 0, nearest_b_ = 0;
  bool have_nearest_ = false;
};

}  // namespace graze::query
