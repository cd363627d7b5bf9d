// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "query/deform/candidates.hpp"
#include "query/deform/feature_tests.hpp"

namespace graze::query {

/// What is left of a step after the patches, and how it is asked for.
struct StepQuestion {
  CandidateSearch search;
  const PatchesLeft& left;
  const Orphans* orphans;  ///< none: adjacent triangles are walked like others
  FeatureQuestion features;
  int threads;
};

/// Walks the tree and asks elementary queries, portion by portion, so that candidates never lie far away in memory.
class StepWalk {
 public:
  /// Every contact, in no particular order.
  void find_all(const StepQuestion& question, DeformResult& result);
  /// The earliest contact.
  void find_earliest(const StepQuestion& question, DeformResult& result);

 private:
  /// A part of a walk for the earliest contact.
  struct EarliestPart {
    PairStack stack;
    std::vector<DeformContact> found;  ///< the earliest, if there is one
  };
  /// What one thread needs.
  struct Lane {
    CandidateWalk walk;
    PairStack stack;
    FeatureCandidates candidates;
    FeatureTests tests;
    double walking = 0, asking = 0;  ///< seconds

    void clear();
    void run(const StepQuestion& question, std::span<const PatchPair> pairs);
    /// Only what may come before the horizon. `probe`: only the first few candidates.
    void run_earliest(const StepQuestion& question, float horizon, EarliestPart& part, bool probe);
    void ask(const StepQuestion& question);
  };

  void begin(int threads);
  void collect(DeformResult& result, double seconds);

  std::vector<std::unique_ptr<Lane>> lanes_;
  WalkParts parts_;
  std::vector<EarliestPart> earliest_;
};

}  // namespace graze::query
