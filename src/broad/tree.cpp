// SPDX-License-Identifier: MIT
#include "broad/tree.hpp"

#include <algorithm>
#include <cmath>

namespace graze::broad {
namespace {

/// The cost of a box: half its surface area. Only a heuristic, so it may overflow.
double cost(const Box3& box) {
  const Vec3 d = box.hi - box.lo;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

Box3 united(const Box3& a, const Box3& b) {
  Box3 sum = a;
  sum.add(b);
  return sum;
}

bool holds(const Box3& a, const Box3& b) { return a.contains(b.lo) && a.contains(b.hi); }

}  // namespace

Box3 Tree::widened(const Box3& box) const {
  // Subtracting or adding a non-negative number never moves past the box's own side, whatever the rounding.
  constexpr double largest = std::numeric_limits<double>::max();
  const Vec3 d = box.hi - box.lo;
  const double by = std::min(margin_ * std::min(std::max({d.x, d.y, d.z}), largest), largest);
  Box3 wide;
  for (int k = 0; k < 3; ++k) {
    wide.lo[k] = std::max(box.lo[k] - by, -largest);
    wide.hi[k] = std::min(box.hi[k] + by, largest);
  }
  return wide;
}

std::uint32_t Tree::new_node() {
  if (free_.empty()) {
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t node = free_.back();
  free_.pop_back();
  nodes_[node] = {};
  return node;
}

void Tree::free_node(std::uint32_t node) { free_.push_back(node); }

void Tree::apply(const Bodies& bodies, std::span<const std::uint32_t> changed) {
  if (leaf_.size() < bodies.limit()) leaf_.resize(bodies.limit(), none);
  left_.clear();
  for (const std::uint32_t id : changed) {
    const std::uint32_t leaf = leaf_[id];
    if (!bodies.contains(id)) {
      if (leaf == none) continue;
      remove_leaf(leaf);
      free_node(leaf);
      leaf_[id] = none;
      --size_;
    } else if (leaf == none || !holds(nodes_[leaf].box, bodies.box(id))) {
      left_.push_back(id);
    } else {
      ++counters.updates_skipped;
    }
  }
  counters.leaves_moved += left_.size();
  for (const std::uint32_t id : left_) {
    if (leaf_[id] == none) ++size_;
  }
  // If many bodies have moved, rebuilding costs less than updating; a tree that has grown too high is also rebuilt.
  constexpr std::size_t few = 64;
  if (left_.size() > few && left_.size() > size_ / 3) {
    rebuild(bodies);
    return;
  }
  for (const std::uint32_t id : left_) {
    if (leaf_[id] == none) {
      leaf_[id] = new_node();
      nodes_[leaf_[id]].child[0] = id;
    } else {
      remove_leaf(leaf_[id]);
    }
    nodes_[leaf_[id]].box = widened(bodies.box(id));
    insert_leaf(leaf_[id]);
  }
  const double balanced = std::log2(static_cast<double>(size_) + 1);
  if (root_ != none && nodes_[root_].height > 2 * balanced + kSlack) rebuild(bodies);
}

/// Descends from the root as long as the growth of a child's box costs less than a new parent here.
std::uint32_t Tree::best_sibling(const Box3& box) const {
  std::uint32_t at = root_;
  while (!nodes_[at].leaf()) {
    const Node& node = nodes_[at];
    const double here = cost(united(node.box, box));
    const double inherited = here - cost(node.box);  // growth of this node, common to both
    double below[2];
    for (int c = 0; c < 2; ++c) {
      const Node& child = nodes_[node.child[c]];
      below[c] = inherited + cost(united(child.box, box)) - (child.leaf() ? 0 : cost(child.box));
    }
    if (here < below[0] && here < below[1]) break;
    at = below[0] < below[1] ? node.child[0] : node.child[1];
  }
  return at;
}

void Tree::insert_leaf(std::uint32_t leaf) {
  if (root_ == none) {
    root_ = leaf;
    nodes_[leaf].parent = none;
    return;
  }
  const std::uint32_t sibling = best_sibling(nodes_[leaf].box), parent = new_node();
  const std::uint32_t above = nodes_[sibling].parent;
  nodes_[parent].parent = above;
  nodes_[parent].child[0] = sibling;
  nodes_[parent].child[1] = leaf;
  nodes_[sibling].parent = nodes_[leaf].parent = parent;
  if (above == none)
    root_ = parent;
  else
    nodes_[above].child[nodes_[above].child[0] == sibling ? 0 : 1] = parent;
  fit_above(parent);
}

void Tree::remove_leaf(std::uint32_t leaf) {
  const std::uint32_t parent = nodes_[leaf].parent;
  if (parent == none) {
    root_ = none;
    return;
  }
  const Node& p = nodes_[parent];
  const std::uint32_t sibling = p.child[p.child[0] == leaf ? 1 : 0], above = p.parent;
  nodes_[sibling].parent = above;
  if (above == none)
    root_ = sibling;
  else
    nodes_[above].child[nodes_[above].child[0] == parent ? 0 : 1] = sibling;
  free_node(parent);
  fit_above(above);
}

void Tree::fit(std::uint32_t node) {
  Node& n = nodes_[node];
  const Node &a = nodes_[n.child[0]], &b = nodes_[n.child[1]];
  n.box = united(a.box, b.box);
  n.height = 1 + std::max(a.height, b.height);
}

void Tree::fit_above(std::uint32_t node) {
  for (; node != none; node = nodes_[node].parent) {
    rotate(node);
    fit(node);
  }
}

/// Exchanges a child with one of its sibling's children, if that makes the sibling smaller: of the four possible
/// exchanges the one that saves most. The set of bodies below the node stays the same.
void Tree::rotate(std::uint32_t node) {
  double best_saving = 0;
  int best_child = -1, best_grandchild = 0;
  for (int c = 0; c < 2; ++c) {
    const std::uint32_t other = nodes_[node].child[1 - c];
    if (nodes_[other].leaf()) continue;
    const double now = cost(united(nodes_[nodes_[other].child[0]].box, nodes_[nodes_[other].child[1]].box));
    for (int g = 0; g < 2; ++g) {
      const Box3& stays = nodes_[nodes_[other].child[1 - g]].box;
      const double saving = now - cost(united(stays, nodes_[nodes_[node].child[c]].box));
      if (saving > best_saving) best_saving = saving, best_child = c, best_grandchild = g;
    }
  }
  if (best_child < 0) return;
  const std::uint32_t down = nodes_[node].child[best_child], other = nodes_[node].child[1 - best_child];
  const std::uint32_t up = nodes_[other].child[best_grandchild];
  nodes_[node].child[best_child] = up;
  nodes_[up].parent = node;
  nodes_[other].child[best_grandchild] = down;
  nodes_[down].parent = other;
  fit(other);
}

void Tree::rebuild(const Bodies& bodies) {
  nodes_.clear();
  free_.clear();
  nodes_.reserve(2 * size_);
  std::vector<std::uint32_t> ids;
  ids.reserve(size_);
  for (std::uint32_t id = 0; id < bodies.limit(); ++id) {
    leaf_[id] = none;
    if (bodies.contains(id)) ids.push_back(id);
  }
  root_ = ids.empty() ? none : build(bodies, ids);
}

/// Splits in half by number, along the axis with the largest spread of centres, so the depth is always logarithmic.
/// Nodes are stored depth first, so that neighbours in space are neighbours in memory.
std::uint32_t Tree::build(const Bodies& bodies, std::span<std::uint32_t> ids) {
  const std::uint32_t node = new_node();
  if (ids.size() == 1) {
    nodes_[node].box = widened(bodies.box(ids[0]));
    nodes_[node].child[0] = ids[0];
    leaf_[ids[0]] = node;
    return node;
  }
  const auto middle = [&](std::uint32_t id, int k) { return 0.5 * bodies.box(id).lo[k] + 0.5 * bodies.box(id).hi[k]; };
  Box3 middles;
  for (const std::uint32_t id : ids) middles.add(Vec3{middle(id, 0), middle(id, 1), middle(id, 2)});
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (0.5 * middles.hi[k] - 0.5 * middles.lo[k] > 0.5 * middles.hi[axis] - 0.5 * middles.lo[axis]) axis = k;
  }
  const std::size_t half = ids.size() / 2;
  std::nth_element(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(half), ids.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return middle(a, axis) < middle(b, axis); });
  const std::uint32_t first = build(bodies, ids.first(half)), second = build(bodies, ids.subspan(half));
  nodes_[node].child[0] = first;
  nodes_[node].child[1] = second;
  nodes_[first].parent = nodes_[second].parent = node;
  fit(node);
  return node;
}

}  // namespace graze::broad
