// SPDX-License-Identifier: MIT
#include "bvh/restructure.hpp"

#include <algorithm>
#include <utility>

#include "bvh/box_f.hpp"
#include "bvh/limits.hpp"

namespace graze::bvh {
namespace {

float culling_of(const Tree& tree, const Node& node) {
  if (node.is_leaf()) return 0;
  const double whole = half_area(node.box);
  const double parts = half_area(tree.nodes[node.first].box) + half_area(tree.nodes[node.first + 1].box);
  const double culling = whole > 0 ? 2 - parts / whole : 0;
  return culling >= 0 ? static_cast<float>(culling) : 0.0f;  // infinite boxes: NaN, culls nothing
}

struct ItemRange {
  std::uint32_t first;
  std::uint32_t end;
};

/// The leaves below a node are consecutive: its outermost leaves tell the range.
ItemRange items_below(const Tree& tree, std::uint32_t n) {
  std::uint32_t left = n, right = n;
  while (!tree.nodes[left].is_leaf()) left = tree.nodes[left].first;
  while (!tree.nodes[right].is_leaf()) right = tree.nodes[right].first + 1;
  return {tree.nodes[left].first, tree.nodes[right].first + tree.nodes[right].count};
}

/// Copies a tree node by node, replacing bad subtrees on the way.
class Rebuilder {
 public:
  Rebuilder(const Tree& old, const Quality& baseline, std::span<const BoxF> boxes, const RestructureOptions& options)
      : old_(old), baseline_(baseline), boxes_(boxes), options_(options) {
    made_.items = old.items;
    made_.nodes.reserve(old.nodes.size());
  }

  /// False if the result would be too deep.
  bool run() {
    struct Copy {
      std::uint32_t from, to;
      int depth;
    };
    std::vector<Copy> stack{{0, 0, 0}};
    made_.nodes.resize(1);
    new_quality_.culling.resize(1);
    while (!stack.empty()) {
      const Copy c = stack.back();
      stack.pop_back();
      const Node& node = old_.nodes[c.from];
      if (is_bad(c.from)) {
        if (!graft(c.from, c.to, c.depth)) return false;
        continue;
      }
      made_.nodes[c.to] = node;
      new_quality_.culling[c.to] = baseline_.culling[c.from];
      if (node.is_leaf()) continue;
      const auto first = static_cast<std::uint32_t>(made_.nodes.size());
      made_.nodes[c.to].first = first;
      made_.nodes.resize(first + 2u);
      new_quality_.culling.resize(first + 2u);
      stack.push_back({node.first + 1, first + 1, c.depth + 1});
      stack.push_back({node.first, first, c.depth + 1});
    }
    return true;
  }

  Tree& tree() { return made_; }
  Quality& quality() { return new_quality_; }
  const RestructureCount& count() const { return count_; }

 private:
  bool is_bad(std::uint32_t n) const {
    const Node& node = old_.nodes[n];
    return !node.is_leaf() && culling_of(old_, node) * options_.loss < baseline_.culling[n];
  }

  /// Builds the subtree `from` anew, its root at `to`, the rest at the end.
  bool graft(std::uint32_t from, std::uint32_t to, int depth) {
    const ItemRange range = items_below(old_, from);
    std::vector<BoxF> part;
    part.reserve(range.end - range.first);
    for (std::uint32_t i = range.first; i < range.end; ++i) part.push_back(boxes_[old_.items[i]]);
    const Tree sub = build(part, {options_.max_leaf_size, options_.threads});
    const Quality sub_quality = bvh::quality(sub);
    std::vector<int> sub_depth(sub.nodes.size(), depth);
    const auto shift = static_cast<std::uint32_t>(made_.nodes.size() - 1);
    made_.nodes.resize(made_.nodes.size() + sub.nodes.size() - 1);
    new_quality_.culling.resize(made_.nodes.size());
    for (std::uint32_t k = 0; k < sub.nodes.size(); ++k) {
      if (sub_depth[k] > max_depth) return false;
      Node node = sub.nodes[k];
      if (!node.is_leaf()) sub_depth[node.first] = sub_depth[node.first + 1] = sub_depth[k] + 1;
      node.first += node.is_leaf() ? range.first : shift;
      made_.nodes[k == 0 ? to : k + shift] = node;
      new_quality_.culling[k == 0 ? to : k + shift] = sub_quality.culling[k];
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      made_.items[range.first + i] = old_.items[range.first + sub.items[i]];
    }
    ++count_.subtrees;
    count_.items += part.size();
    return true;
  }

  const Tree& old_;
  const Quality& baseline_;
  std::span<const BoxF> boxes_;
  const RestructureOptions& options_;
  Tree made_;
  Quality new_quality_;
  RestructureCount count_;
};

}  // namespace

Quality quality(const Tree& tree) {
  Quality q;
  q.culling.reserve(tree.nodes.size());
  for (const Node& node : tree.nodes) q.culling.push_back(culling_of(tree, node));
  return q;
}

RestructureCount restructure(Tree& tree, Quality& baseline, std::span<const BoxF> boxes,
                             const RestructureOptions& options) {
  if (tree.nodes.empty()) return {};
  Rebuilder rebuilder(tree, baseline, boxes, options);
  if (!rebuilder.run()) {  // a new subtree hung too low: begin afresh
    tree = build(boxes, {options.max_leaf_size, options.threads});
    baseline = quality(tree);
    return {1, boxes.size()};
  }
  if (rebuilder.count().subtrees != 0) {
    tree = std::move(rebuilder.tree());
    baseline = std::move(rebuilder.quality());
  }
  return rebuilder.count();
}

}  // namespace graze::bvh
