// SPDX-License-Identifier: MIT
#include "query/deform/patch_tree.hpp"

#include <algorithm>

#include "query/deform/agglomerate.hpp"

namespace graze::query {

namespace {

/// Triangles, joins of patches and joins of parts as one binary tree, before it is laid out.
struct Forest {
  std::size_t triangles;
  std::vector<std::array<std::uint32_t, 2>> joined;  ///< entry i is number triangles + i
  std::vector<std::uint32_t> counts;
  std::size_t first_above;  ///< numbers from here on join parts that do not hang together
  std::uint32_t root = 0;
};

/// The upper tree, top down (VI.A), as more joins.
void join_parts(Forest& f, const Joining& j, int threads) {
  if (j.roots.size() == 1) {
    f.root = j.roots[0];
    return;
  }
  std::vector<bvh::BoxF> boxes;
  for (const std::uint32_t r : j.roots) boxes.push_back(j.boxes[r]);
  const bvh::Tree top = bvh::build(boxes, {.max_leaf_size = patch_leaf_size, .threads = threads});
  std::vector<std::uint32_t> number(top.nodes.size());
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    f.joined.push_back({a, b});
    f.counts.push_back(f.counts[a] + f.counts[b]);
    return static_cast<std::uint32_t>(f.counts.size() - 1);
  };
  for (std::size_t i = top.nodes.size(); i-- > 0;) {
    const bvh::Node& n = top.nodes[i];
    if (!n.is_leaf()) {
      number[i] = join(number[n.first], number[n.first + 1]);
      continue;
    }
    number[i] = j.roots[top.items[n.first]];
    for (std::uint32_t k = n.first + 1; k < n.first + n.count; ++k) number[i] = join(number[i], j.roots[top.items[k]]);
  }
  f.root = number[0];
}

/// Depth first, so that the triangles below a node stand together.
class Layout {
 public:
  Layout(const Forest& f, PatchTree& out) : f_(f), out_(out) {}

  void run() {
    out_.nodes.emplace_back();
    std::vector<std::array<std::uint32_t, 2>> stack{{f_.root, 0}};
    while (!stack.empty()) {
      const auto [number, at] = stack.back();
      stack.pop_back();
      const auto begin = static_cast<std::uint32_t>(out_.items.size());
      out_.nodes[at].begin = begin;
      out_.nodes[at].end = begin + f_.counts[number];
      out_.nodes[at].several = number >= f_.first_above;
      if (f_.counts[number] <= patch_leaf_size) {
        emit(number);
        continue;
      }
      const auto child = static_cast<std::uint32_t>(out_.nodes.size());
      out_.nodes[at].child = child;
      out_.nodes.resize(child + 2u);
      const auto& [left, right] = f_.joined[number - f_.triangles];
      stack.push_back({right, child + 1});
      stack.push_back({left, child});
    }
    out_.position.resize(out_.items.size());
    for (std::uint32_t i = 0; i < out_.items.size(); ++i) out_.position[out_.items[i]] = i;
    list_parts();
  }

 private:
  void emit(std::uint32_t number) {
    std::vector<std::uint32_t>& stack = scratch_;
    stack.assign(1, number);
    while (!stack.empty()) {
      const std::uint32_t n = stack.back();
      stack.pop_back();
      if (n < f_.triangles) {
        out_.items.push_back(n);
        continue;
      }
      stack.push_back(f_.joined[n - f_.triangles][1]);
      stack.push_back(f_.joined[n - f_.triangles][0]);
    }
  }

  void list_parts() {
    std::vector<std::uint32_t> stack{0};
    while (!stack.empty()) {
      const std::uint32_t i = stack.back();
      stack.pop_back();
      if (out_.nodes[i].several && !out_.nodes[i].is_leaf()) {
        stack.push_back(out_.nodes[i].child + 1);
        stack.push_back(out_.nodes[i].child);
      } else {
        out_.parts.push_back(i);
      }
    }
  }

  const Forest& f_;
  PatchTree& out_;
  std::vector<std::uint32_t> scratch_;
};

/// Is the mesh an oriented surface at all edges and corners of a triangle: every edge with one triangle, or two that
/// walk it in opposite directions, and the triangles around each corner one fan? (DESIGN 4: manifold oriented patch.)
class Clean {
 public:
  explicit Clean(const Topology& t) : t_(t) {
    vertex_.resize(t.vertex_count());
    for (std::uint32_t v = 0; v < t.vertex_count(); ++v) vertex_[v] = one_fan(v);
  }
  bool operator()(std::uint32_t t) const {
    const Triangle& x = t_.triangle(t);
    return vertex_[x[0]] && vertex_[x[1]] && vertex_[x[2]];
  }

 private:
  static std::size_t corner(const Triangle& x, std::uint32_t v) { return x[0] == v ? 0 : x[1] == v ? 1 : 2; }
  bool one_fan(std::uint32_t v) const {
    const auto around = t_.around(v);
    if (around.empty()) return true;
    std::uint32_t start = around[0];
    for (const std::uint32_t t : around) {
      const Triangle& x = t_.triangle(t);
      const std::size_t out = corner(x, v), in = (out + 2) % 3;
      if (t_.across(t, out) == Topology::irregular || t_.across(t, in) == Topology::irregular) return false;
      if (t_.across(t, out) == Topology::none) start = t;  // the fan begins here
    }
    std::size_t seen = 0;
    std::uint32_t t = start;
    do {
      ++seen;
      t = t_.across(t, (corner(t_.triangle(t), v) + 2) % 3);
    } while (t != Topology::none && t != start && seen <= around.size());
    return seen == around.size();
  }

  const Topology& t_;
  std::vector<bool> vertex_;
};

/// The steps that bound each patch: those whose other side is not in it. Taken from its children's, bottom up.
class Contours {
 public:
  Contours(const Topology& topology, PatchTree& tree) : topology_(topology), tree_(tree) {}

  void run() {
    const Clean clean(topology_);
    std::vector<bool> dirty(tree_.nodes.size(), false);
    for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
      PatchNode& n = tree_.nodes[i];
      if (n.is_leaf()) {
        for (std::uint32_t k = n.begin; k < n.end; ++k)
          if (!clean(tree_.items[k])) dirty[i] = true;
      } else {
        dirty[i] = dirty[n.child] || dirty[n.child + 1];
      }
      if (n.several) dirty[i] = true;
      if (dirty[i] || n.size() < patch_least_size) continue;
      collect(n);
    }
  }

 private:
  void collect(PatchNode& n) {
    n.contour_begin = static_cast<std::uint32_t>(tree_.contours.size());
    for (const std::uint32_t child : {n.child, n.child + 1}) {
      const PatchNode& c = tree_.nodes[child];
      if (c.contour_size > 0) {
        for (std::uint32_t k = 0; k < c.contour_size; ++k) add(n, tree_.contours[c.contour_begin + k]);
      } else {
        for (std::uint32_t k = c.begin; k < c.end; ++k)
          for (std::uint32_t e = 0; e < 3; ++e) add(n, 3 * tree_.items[k] + e);
      }
    }
    n.contour_size = static_cast<std::uint32_t>(tree_.contours.size()) - n.contour_begin;
  }
  void add(const PatchNode& n, std::uint32_t step) {
    const std::uint32_t other = topology_.across(step / 3, step % 3);
    if (Topology::is_triangle(other) && tree_.position[other] >= n.begin && tree_.position[other] < n.end) return;
    tree_.contours.push_back(step);
  }

  const Topology& topology_;
  PatchTree& tree_;
};

}  // namespace

std::size_t PatchTree::bytes() const {
  return nodes.size() * sizeof(PatchNode) +
         (items.size() + position.size() + contours.size() + parts.size()) * sizeof(std::uint32_t);
}

PatchTree build_patch_tree(const Topology& topology, std::span<const bvh::BoxF> boxes, int threads) {
  const std::size_t n = topology.triangle_count();
  Joining j;
  j.boxes.assign(boxes.begin(), boxes.end());
  j.counts.assign(n, 1);
  for (std::uint32_t t = 0; t < n; ++t)
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t other = topology.across(t, k);
      if (Topology::is_triangle(other)) {
        if (other > t) j.touching.push_back({t, other});
      } else if (other == Topology::irregular) {  // all that have the edge hang together
        topology.at_edge(edge_of(topology.triangle(t), k), [&](std::uint32_t i) {
          if (i > t) j.touching.push_back({t, i});
        });
      }
    }
  agglomerate(j);
  Forest f{n, std::move(j.joined), std::move(j.counts), 0};
  f.first_above = f.counts.size();
  join_parts(f, j, threads);
  PatchTree tree;
  tree.items.reserve(n);
  Layout(f, tree).run();
  Contours(topology, tree).run();
  return tree;
}

}  // namespace graze::query
