// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/deform/contour_test.hpp"

namespace graze::query {

/// Two nodes of a patch tree, or one with itself.
struct PatchPair {
  std::uint32_t a, b;
};

/// Positions in `items` of a patch that is proved free of contact with itself.
struct ProvedPatch {
  std::uint32_t begin, end;
};

struct PatchSearch {
  const Topology& topology;
  const PatchTree& tree;
  const DopTree& dops;
  const std::vector<ContinuousCone>& cones;  ///< none: nothing is proved
  const MovingVertices& at;
  bool self;        ///< contacts within a part are asked for
  bool accelerate;  ///< the contour test's accelerations (ICCD IV.C)
  int threads = 1;
};

/// What is left to be walked.
struct PatchesLeft {
  std::vector<PatchPair> pairs;     ///< from the root down; a leaf with itself has twice the same node
  std::vector<ProvedPatch> proved;  ///< rising
  Counters counters;

  void clear();
};

/// Algorithm 4, the part about one node: from the root down, a node whose cone is narrow and whose contour stays simple
/// is done with; of any other, both children are next, and the pair of them is left to be walked. The nodes above the
/// tree's branches first, then branch by branch at the same time; each starts without a projection, so that what is
/// proved in it does not depend on who worked on it before.
class PatchWalk {
 public:
  void run(const PatchSearch& search, PatchesLeft& left);
  std::size_t bytes() const;

 private:
  struct Item {
    std::uint32_t node;
    ContourTest::Projection projection;
    MeetingSteps meeting;
  };
  /// What one thread needs.
  struct Lane {
    ContourTest contour;
    std::vector<Item> stack;
    Counters counters;

    /// From a node down, to the ends or as far as the branches, whose roots then go to `branches`.
    void run(const PatchSearch& search, std::uint32_t node, PatchesLeft& left, std::vector<std::uint32_t>* branches);
    bool prove(const PatchSearch& search, Item& item);
  };

  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::uint32_t> open_;       ///< roots of branches that no proved patch holds
  std::vector<PatchesLeft> of_branches_;  ///< for each
};

}  // namespace graze::query
