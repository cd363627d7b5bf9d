// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/deform/filter/node_rules.hpp"
#include "engine/deform/patches/contour_test.hpp"

namespace graze::engine::deform {

/// Two nodes of a patch tree, or one with itself.
struct PatchPair {
  std::uint32_t a, b;
};

/// The range in `items` of a patch that is proved free of self-contact.
struct ProvedPatch {
  std::uint32_t begin, end;
};

struct PatchSearch {
  const Topology& topology;
  const PatchTree& tree;
  const DopTree& dops;
  const std::vector<ContinuousCone>& cones;  ///< empty: nothing is proved
  const MovingVertices& at;
  bool self;        ///< self-contacts are requested
  bool accelerate;  ///< use the contour test's accelerations (ICCD IV.C)
  int threads = 1;
  const NodeRules* rules = nullptr;  ///< which nodes may touch, or null: all
};

/// The node pairs that remain to be traversed.
struct PatchesLeft {
  std::vector<PatchPair> pairs;     ///< from the root down; a leaf with itself is listed as a pair of equal nodes
  std::vector<ProvedPatch> proved;  ///< in ascending order
  AllCounters counters;

  void clear();
};

/// Algorithm 4, the single-node part. From the root down: a node with a narrow cone and a contour that stays simple is
/// finished. For any other node, both children are visited next, and the pair of them remains to be traversed. The
/// nodes above the tree's branches come first, then all branches in parallel. Each branch starts without a projection,
/// so that its proofs do not depend on what the same thread did before.
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
  /// Per-thread data.
  struct Lane {
    ContourTest contour;
    std::vector<Item> stack;
    AllCounters counters;

    /// From a node down, to the leaves or to the roots of the branches, which are then added to `branches`.
    void run(const PatchSearch& search, std::uint32_t node, PatchesLeft& left, std::vector<std::uint32_t>* branches);
    bool prove(const PatchSearch& search, Item& item);
  };

  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::uint32_t> open_;       ///< roots of branches that are not in a proved patch
  std::vector<PatchesLeft> of_branches_;  ///< one for each
};

}  // namespace graze::engine::deform
