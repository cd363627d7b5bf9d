// SPDX-License-Identifier: MIT
#pragma once

#include "broad/method.hpp"

namespace graze::broad {

/// A binary tree over widened boxes. A body that stays in its widened box costs one comparison; one that leaves it is
/// removed and inserted again where the tree grows least. For scenes in which few bodies move, for boxes of all sizes,
/// and for queries with single boxes and rays.
class Tree : public Method {
 public:
  static constexpr BroadTraits traits{"tree", "a binary tree over widened boxes, updated where bodies leave them"};

  explicit Tree(const BroadOptions& options) : margin_(options.margin) {}
  void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) override;
  void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) override;
  void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const override;
  void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const override;
  std::uint64_t around_point(const Bodies& bodies, const Vec3& point, const VisitBody& visit) const override;
  std::size_t bytes() const override;
  /// Checks that links, bounds and heights are correct and that each body has exactly one leaf. For tests.
  bool valid(const Bodies& bodies) const;

 private:
  static constexpr std::uint32_t none = ~0u;
  /// A tree of n bodies is never higher than 2 log2(n + 1) + kSlack; n is below 2^24.
  static constexpr int kSlack = 16, kHighest = 2 * 25 + kSlack;

  /// One cache line.
  struct Node {
    Box3 box;
    std::uint32_t parent = none;
    std::uint32_t child[2] = {none, none};  // of a leaf: the body's id, and `none`
    std::uint32_t height = 0;               // 0 for a leaf
    bool leaf() const { return height == 0; }
  };
  struct NodePair {
    std::uint32_t a, b;
  };

  Box3 widened(const Box3& box) const;
  std::uint32_t new_node();
  void free_node(std::uint32_t node);
  void insert_leaf(std::uint32_t leaf);
  void remove_leaf(std::uint32_t leaf);
  void fit(std::uint32_t node);
  void fit_above(std::uint32_t node);
  void rotate(std::uint32_t node);
  std::uint32_t best_sibling(const Box3& box) const;
  void rebuild(const Bodies& bodies);
  std::uint32_t build(const Bodies& bodies, std::span<std::uint32_t> ids);
  std::uint64_t find_pairs(const Bodies& bodies, NodePair start, std::vector<NodePair>& stack,
                           std::vector<BoxPair>& out) const;
  void split_work(std::size_t wanted, std::vector<NodePair>& work) const;
  template <class Test, class Visit>
  void visit(Test&& test, Visit&& visit) const;

  double margin_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> leaf_;  // by id; none: not present
  std::uint32_t root_ = none;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> left_;  // bodies that left their widened boxes
};

}  // namespace graze::broad
