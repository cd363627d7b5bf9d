// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <graze/core/method_counters.hpp>

#include "world/sweep/path_boxes.hpp"
#include "world/sweep/sweep.hpp"

namespace graze::world {

/// Two bodies whose paths may meet, and when they first do.
struct SweepQuestion {
  PairKey key;
  std::pair<Motion, Motion> motions;
  double not_before = 0;  ///< certified free of contact before this time
  bool straight = false;  ///< one of the bodies deforms, so vertices move on straight lines
  FirstContactCoherence* coherence = nullptr;
  FirstContactResult answer;
  std::unique_ptr<MethodCounters> of_method = {};  ///< on request
  SweepContact details = {};                       ///< only what is found on request
};

/// What several sweeps that belong together (`SweepOptions::each`) remember.
struct Progress {
  std::unordered_map<std::uint32_t, double> covered;  ///< the part of its path that a body has covered; none: nothing
  std::unordered_set<PairKey> triggered;              ///< contacts with triggers that are listed already
  bool more = false;                                  ///< bodies have a rest of their path left

  /// A time of the present sweep as a time of the whole path.
  double time_of(PairKey key, double t) const {
    const double done = std::max(part(first(key)), part(second(key)));
    return done + t * (1 - done);
  }
  double part(std::uint32_t slot) const {
    const auto at = covered.find(slot);
    return at == covered.end() ? 0 : at->second;
  }
};

/// One pass over the paths of all bodies since the last sweep: which pairs may meet (sweep_ask.cpp), and what follows
/// for the bodies (sweep_gather.cpp).
class SweepPass {
 public:
  SweepPass(State& state, const SweepOptions& options, SweepResult& result, Progress& progress)
      : state_(state),
        options_(options),
        result_(result),
        progress_(progress),
        front_(take(state, state.to_sweep, &BodyRecord::to_sweep)),
        again_(std::exchange(state.sweep_again, {})) {}

  void run();

 private:
  std::vector<SweepQuestion> near_pairs();
  /// Methods that use coherence data get one entry for each pair that is still near.
  void remember_pairs(std::vector<SweepQuestion>& questions);
  /// A pair of which nothing is known from this time on.
  static FirstContactResult open_since(double time);
  /// Moves an answer into a contact.
  SweepContact contact_of(SweepQuestion& q) const;
  /// One of the bodies deforms.
  void ask_straight(const BodyRecord& a, const BodyRecord& b, SweepQuestion& q) const;
  void ask_one(SweepQuestion& q) const;
  /// Tests all pairs, or only the earliest candidates: in ascending order of possible contact time until no other pair
  /// can be earlier.
  void ask(std::vector<SweepQuestion>& questions);

  /// What contacts carry on request.
  void add_details(std::vector<SweepQuestion>& questions) const;

  void gather(std::vector<SweepQuestion>& questions);
  /// All bodies stop at the same time, that of the earliest contact.
  void gather_together(std::vector<SweepQuestion>& questions);
  /// Only the bodies that touch stop.
  void gather_each(std::vector<SweepQuestion>& questions);
  void list(SweepQuestion& q);
  /// The first contact with a trigger, if it comes before the bodies stop.
  void list_trigger(SweepQuestion& q, double stop);
  void in_whole_path(SweepQuestion& q) const;
  /// Status, the earliest contact and the safe time from the contacts listed so far.
  void conclude();
  /// Advances the bodies to a time before which no pair of interest touches. If a budget left pairs undecided, only the
  /// path up to that time is certified: the next sweep covers the rest, and tests the undecided pairs again even if
  /// nothing moved them. A known contact ends the path. Returns the time; 1: to the end.
  double advance(const std::vector<SweepQuestion>& questions);
  /// A refused request has no answer, and one that time or a cancellation ended has only part of one, which part is not
  /// reproducible: the next sweep must cover this path too.
  void put_back();
  /// The next sweep starts from here.
  void remember();

  State& state_;
  const SweepOptions& options_;
  SweepResult& result_;
  Progress& progress_;
  std::vector<std::uint32_t> front_;  ///< bodies that moved since the last sweep
  std::unordered_set<PairKey> again_;
  std::optional<Movers> movers_;
  std::optional<PathBoxes> boxes_;
  std::vector<PairKey> near_;  ///< pairs of interest whose paths may meet, at the same time or not; without triggers
  bool ended_ = false;         ///< by time or a cancellation
};

}  // namespace graze::world
