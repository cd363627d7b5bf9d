// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/deform/filter/touch_rules.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::deform {

/// What a traversal knows of the vertices below each node of a tree, so that it does not enter pairs of nodes whose
/// vertices may not touch.
class NodeRules {
 public:
  bool empty() const { return nodes_.empty(); }
  void clear() { nodes_.clear(); }
  void refit(const TouchRules& rules, const Topology& topology, const PatchTree& tree, int threads);

  const TouchRules& rules() const { return *rules_; }
  /// No vertex below the one node may touch a vertex below the other. The nodes may be the same.
  bool none_may(std::uint32_t a, std::uint32_t b) const;
  /// Every vertex below the one node may touch every other vertex below the other: features need not be asked one by
  /// one.
  bool all_may(std::uint32_t a, std::uint32_t b) const;
  std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

 private:
  struct Node {
    std::uint64_t selves = 0;             ///< the bodies with `self`, hashed to 64 bits
    std::uint32_t groups = 0, masks = 0;  ///< all bits of all bodies
    std::uint32_t body = 0;               ///< the only body, unless `one_body` is false
    bool one_body = true;
    bool all_fixed = true, some_fixed = false;
  };
  Node of_vertex(std::uint32_t v) const;
  static void add(const Node& more, Node& node);

  const TouchRules* rules_ = nullptr;
  std::vector<Node> nodes_;
};

}  // namespace graze::engine::deform
