// SPDX-License-Identifier: MIT
#include "bvh/validate.hpp"

#include "bvh/box_f.hpp"
#include "bvh/limits.hpp"

namespace graze::bvh {
namespace {

using Complaint = std::optional<std::string>;

std::string at(std::uint32_t node, const char* what) { return "node " + std::to_string(node) + ": " + what; }

struct Place {
  std::uint32_t node;
  int depth;
};

class Validator {
 public:
  Validator(const Tree& tree, std::span<const BoxF> boxes)
      : tree_(tree), boxes_(boxes), seen_item_(boxes.size(), false), seen_node_(tree.nodes.size(), false) {}

  Complaint run() {
    std::vector<Place> stack{{0, 0}};
    while (!stack.empty()) {
      const Place p = stack.back();
      stack.pop_back();
      if (seen_node_[p.node]) return at(p.node, "has two parents");
      seen_node_[p.node] = true;
      ++nodes_seen_;
      if (p.depth > max_depth) return at(p.node, "lies too deep");
      const Node& node = tree_.nodes[p.node];
      if (Complaint c = node.is_leaf() ? check_leaf(p.node) : check_inner(p.node)) return c;
      if (node.is_leaf()) continue;
      stack.push_back({node.first + 1, p.depth + 1});
      stack.push_back({node.first, p.depth + 1});
    }
    if (nodes_seen_ != tree_.nodes.size()) return "some nodes cannot be reached from the root";
    if (items_seen_ != tree_.items.size()) return "some items lie in no leaf";
    return std::nullopt;
  }

 private:
  Complaint check_inner(std::uint32_t n) const {
    const Node& node = tree_.nodes[n];
    if (node.first <= n) return at(n, "comes after its children");
    if (node.first + std::size_t{1} >= tree_.nodes.size()) return at(n, "names children that do not exist");
    for (std::uint32_t k = 0; k < 2; ++k) {
      if (!contains(node.box, tree_.nodes[node.first + k].box)) return at(n, "does not contain a child's box");
    }
    return std::nullopt;
  }

  Complaint check_leaf(std::uint32_t n) {
    const Node& node = tree_.nodes[n];
    if (node.first != items_seen_) return at(n, "does not begin where the leaf before it ended");
    if (std::size_t{node.first} + node.count > tree_.items.size()) return at(n, "reaches beyond the items");
    for (std::uint32_t k = 0; k < node.count; ++k) {
      const std::uint32_t item = tree_.items[node.first + k];
      if (item >= boxes_.size()) return at(n, "holds an item that does not exist");
      if (seen_item_[item]) return at(n, "holds an item that another leaf has too");
      seen_item_[item] = true;
      if (!contains(node.box, boxes_[item])) return at(n, "does not contain an item's box");
    }
    items_seen_ += node.count;
    return std::nullopt;
  }

  const Tree& tree_;
  std::span<const BoxF> boxes_;
  std::vector<bool> seen_item_;
  std::vector<bool> seen_node_;
  std::size_t items_seen_ = 0;
  std::size_t nodes_seen_ = 0;
};

}  // namespace

std::optional<std::string> validate(const Tree& tree, std::span<const BoxF> boxes) {
  if (tree.items.size() != boxes.size()) return "the number of items is not that of the boxes";
  if (tree.nodes.empty()) {
    if (boxes.empty()) return std::nullopt;
    return "there are boxes but no nodes";
  }
  return Validator(tree, boxes).run();
}

}  // namespace graze::bvh
