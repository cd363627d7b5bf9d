// SPDX-License-Identifier: MIT
#include "engine/deform/filter/node_rules.hpp"

#include "engine/deform/tree/tree_branches.hpp"

namespace graze::engine::deform {

NodeRules::Node NodeRules::of_vertex(std::uint32_t v) const {
  Node n;
  n.body = rules_->body(v);
  const DeformBody& body = rules_->settings(n.body);
  n.selves = body.self ? std::uint64_t{1} << (n.body & 63u) : 0;
  n.groups = body.group;
  n.masks = body.mask;
  n.all_fixed = n.some_fixed = rules_->is_fixed(v);
  return n;
}

void NodeRules::add(const Node& more, Node& node) {
  node.selves |= more.selves;
  node.groups |= more.groups;
  node.masks |= more.masks;
  node.one_body = node.one_body && more.one_body && node.body == more.body;
  node.all_fixed = node.all_fixed && more.all_fixed;
  node.some_fixed = node.some_fixed || more.some_fixed;
}

void NodeRules::refit(const TouchRules& rules, const Topology& topology, const PatchTree& tree, int threads) {
  rules_ = &rules;
  nodes_.resize(tree.nodes.size());
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& n = tree.nodes[i];
    if (!n.is_leaf()) {
      nodes_[i] = nodes_[n.child];
      add(nodes_[n.child + 1], nodes_[i]);
      return;
    }
    nodes_[i] = of_vertex(topology.triangle(tree.items[n.begin])[0]);
    for (std::uint32_t k = n.begin; k < n.end; ++k)
      for (const std::uint32_t v : topology.triangle(tree.items[k])) add(of_vertex(v), nodes_[i]);
  });
}

/// Two vertices of different bodies may only touch if the group of each has a bit of the other's mask, and all these
/// bits are in the sums of the nodes. Two vertices of one body may only touch if it has `self`; then its bit is in both
/// nodes.
bool NodeRules::none_may(std::uint32_t a, std::uint32_t b) const {
  const Node &x = nodes_[a], &y = nodes_[b];
  if (x.all_fixed && y.all_fixed) return true;
  if (x.one_body && y.one_body) return !rules_->bodies_may(x.body, y.body);
  return !(x.selves & y.selves) && (!(x.groups & y.masks) || !(y.groups & x.masks));
}

bool NodeRules::all_may(std::uint32_t a, std::uint32_t b) const {
  const Node &x = nodes_[a], &y = nodes_[b];
  return x.one_body && y.one_body && rules_->bodies_may(x.body, y.body) && !(x.some_fixed && y.some_fixed) &&
         !rules_->has_predicate();
}

}  // namespace graze::engine::deform
