// SPDX-License-Identifier: MIT
// The queries of the tree. A subtree is skipped only if its box, which contains the widened boxes of all its bodies and
// therefore their boxes, is disjoint from the query; the bodies' own boxes decide the rest.
#include <algorithm>

#include "broad/tree.hpp"
#include "core/parallel.hpp"

namespace graze::broad {

std::uint64_t Tree::find_pairs(const Bodies& bodies, NodePair start, std::vector<NodePair>& stack,
                               std::vector<BoxPair>& out) const {
  std::uint64_t visited = 0;
  stack.assign(1, start);
  while (!stack.empty()) {
    const NodePair at = stack.back();
    stack.pop_back();
    const Node &a = nodes_[at.a], &b = nodes_[at.b];
    ++visited;
    if (at.a == at.b) {
      if (a.leaf()) continue;
      stack.push_back({a.child[0], a.child[1]});
      stack.push_back({a.child[0], a.child[0]});
      stack.push_back({a.child[1], a.child[1]});
      continue;
    }
    if (!a.box.overlaps(b.box)) continue;
    if (a.leaf() && b.leaf()) {
      const std::uint32_t first = std::min(a.child[0], b.child[0]), second = std::max(a.child[0], b.child[0]);
      if (bodies.box(first).overlaps(bodies.box(second))) out.push_back({first, second});
    } else if (b.leaf() || (!a.leaf() && a.height > b.height)) {
      for (const std::uint32_t child : a.child) stack.push_back({child, at.b});
    } else {
      for (const std::uint32_t child : b.child) stack.push_back({at.a, child});
    }
  }
  return visited;
}

/// Splits the search for all pairs into searches between pairs of nodes; at least as many as wanted if there are that
/// many.
void Tree::split_work(std::size_t wanted, std::vector<NodePair>& work) const {
  if (root_ == none) return;
  work.push_back({root_, root_});
  for (bool split = true; split && work.size() < wanted;) {
    split = false;
    for (std::size_t i = work.size(); i-- > 0;) {
      const Node& node = nodes_[work[i].a];
      if (work[i].a != work[i].b || node.leaf()) continue;
      work[i] = {node.child[0], node.child[0]};
      work.push_back({node.child[1], node.child[1]});
      work.push_back({node.child[0], node.child[1]});
      split = true;
    }
  }
}

void Tree::pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) {
  std::vector<NodePair> work;
  split_work(threads == 1 ? 1 : static_cast<std::size_t>(threads) * 16, work);
  std::vector<std::vector<BoxPair>> found(work.size());
  std::vector<std::uint64_t> visited(work.size());
  core::parallel_for(work.size(), threads, [&](std::size_t i) {
    std::vector<NodePair> stack;
    visited[i] = find_pairs(bodies, work[i], stack, found[i]);
  });
  for (std::size_t i = 0; i < work.size(); ++i) {
    counters.nodes_visited += visited[i];
    counters.box_tests += visited[i];
    if (i == 0)
      out.swap(found[0]);
    else
      out.insert(out.end(), found[i].begin(), found[i].end());
  }
}

template <class Test, class Visit>
void Tree::visit(Test&& test, Visit&& visit) const {
  if (root_ == none) return;
  std::uint32_t stack[kHighest + 2] = {root_};  // one node waits on each level
  for (int size = 1; size > 0;) {
    const Node& node = nodes_[stack[--size]];
    if (!test(node.box)) continue;
    if (node.leaf()) {
      visit(node.child[0]);
    } else {
      stack[size++] = node.child[0];
      stack[size++] = node.child[1];
    }
  }
}

void Tree::overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const {
  visit([&](const Box3& b) { return b.overlaps(box); },
        [&](std::uint32_t id) {
          if (bodies.box(id).overlaps(box)) out.push_back(id);
        });
}

void Tree::along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const {
  visit([&](const Box3& b) { return segment.meets(b); },
        [&](std::uint32_t id) {
          if (segment.meets(bodies.box(id))) out.push_back(id);
        });
}

std::size_t Tree::bytes() const {
  return nodes_.capacity() * sizeof(Node) + (free_.capacity() + leaf_.capacity() + left_.capacity()) * 4;
}

bool Tree::valid(const Bodies& bodies) const {
  std::size_t leaves = 0;
  bool good = true;
  for (std::uint32_t id = 0; id < leaf_.size(); ++id) {
    if ((leaf_[id] != none) != bodies.contains(id)) return false;
  }
  if (root_ == none) return bodies.size() == 0;
  good = nodes_[root_].parent == none;
  std::vector<std::uint32_t> stack{root_};
  while (!stack.empty() && good) {
    const std::uint32_t at = stack.back();
    const Node& node = nodes_[at];
    stack.pop_back();
    if (node.leaf()) {
      ++leaves;
      const Box3& box = bodies.box(node.child[0]);
      good = leaf_[node.child[0]] == at && node.box.contains(box.lo) && node.box.contains(box.hi);
      continue;
    }
    std::uint32_t height = 0;
    for (const std::uint32_t child : node.child) {
      const Node& c = nodes_[child];
      good = good && c.parent == at && node.box.contains(c.box.lo) && node.box.contains(c.box.hi);
      height = std::max(height, c.height);
      stack.push_back(child);
    }
    good = good && node.height == height + 1;
  }
  return good && leaves == bodies.size() && leaves == size_;
}

}  // namespace graze::broad
