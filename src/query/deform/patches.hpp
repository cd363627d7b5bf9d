// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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
};

/// What is left to be walked.
struct PatchesLeft {
  std::vector<PatchPair> pairs;     ///< from the root down; a leaf with itself has twice the same node
  std::vector<ProvedPatch> proved;  ///< rising
  Counters counters;
};

/// Algorithm 4, the part about one node: from the root down, a node whose cone is narrow and whose contour stays simple
/// is done with; of any other, both children are next, and the pair of them is left to be walked.
class PatchWalk {
 public:
  void run(const PatchSearch& search, PatchesLeft& left);
  std::size_t bytes() const { return contour_.bytes(); }

 private:
  struct Item {
    std::uint32_t node;
    ContourTest::Projection projection;
    MeetingSteps meeting;
  };
  bool prove(const PatchSearch& search, Item& item, Counters& counters);

  ContourTest contour_;
  std::vector<Item> stack_;
};

}  // namespace graze::query
