// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/deform/walk/candidates.hpp"
#include "engine/deform/walk/feature_tests.hpp"

namespace graze::engine::deform {

/// The remainder of a step after the patches, and the query options.
struct StepQuestion {
  CandidateSearch search;
  const PatchesLeft& left;
  const Orphans* orphans;  ///< null: adjacent triangles are traversed like others
  FeatureQuestion features;
  int threads;
  MethodCounters* method_counters = nullptr;  ///< where the caller wants them
};

/// Traverses the tree and runs elementary queries portion by portion, so that candidates stay in the cache.
class StepWalk {
 public:
  /// Every contact, in no particular order. If a limit may end it, first what `certified` can say quickly.
  void find_all(const StepQuestion& question, DeformResult& result);
  /// The earliest contact. If a limit may end it: in several passes, each until a later time, so that `certified`
  /// grows.
  void find_earliest(const StepQuestion& question, DeformResult& result);

  /// No contact of the last search starts before this time; infinity: there is none.
  double safe() const;
  /// The last search has certified that there is no contact before this time, also if a limit ended it.
  double certified() const { return certified_; }
  /// Nothing is certified any more: for a question that may end before its search begins.
  void forget() { certified_ = 0; }
  /// In the last search, features touch at the start and part.
  bool touched() const;

 private:
  /// One part of the search for the earliest contact.
  struct EarliestPart {
    PairStack stack;
    std::vector<DeformContact> found;  ///< the earliest, if there is one
  };
  /// Per-thread data.
  struct Lane {
    CandidateWalk walk;
    PairStack stack;
    FeatureCandidates candidates;
    FeatureTests tests;
    double walking = 0, asking = 0;  ///< seconds

    void clear();
    void run(const StepQuestion& question, std::span<const PatchPair> pairs);
    /// Only contacts that may come before the horizon. `probe`: only the first few candidates.
    void run_earliest(const StepQuestion& question, float horizon, EarliestPart& part, bool probe);
    void ask(const StepQuestion& question);
  };

  /// `passes`: the times until which it is made, one after the other.
  void find_earliest(const StepQuestion& question, std::span<const float> passes, DeformResult& result);
  void certify(StepQuestion question, DeformResult& result);
  void begin(int threads);
  void collect(const StepQuestion& question, DeformResult& result, double seconds);

  std::vector<std::unique_ptr<Lane>> lanes_;
  WalkParts parts_;
  std::vector<EarliestPart> earliest_;
  double certified_ = 0;
};

}  // namespace graze::engine::deform
