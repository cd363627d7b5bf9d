// SPDX-License-Identifier: MIT
#include "engine/deform/tree/patch_contours.hpp"

#include <algorithm>

#include "engine/deform/topology/topology.hpp"
#include "engine/deform/tree/tree_branches.hpp"

namespace graze::engine::deform {

namespace {

/// Is the mesh an oriented manifold at a vertex: does every edge there have one triangle, or two that traverse it in
/// opposite directions, and do its triangles form one fan? (docs/design.md 4: manifold oriented patch.) If so, going
/// around the vertex in both directions from any triangle visits them all. (Triangles with a repeated vertex have
/// irregular edges only.)
bool one_fan(const Topology& topology, std::uint32_t v) {
  const auto around = topology.around(v);
  if (around.empty()) return true;
  std::size_t seen = 1;
  for (const std::size_t turn : {2, 0}) {  // across the edge that ends at v, then across the one that starts there
    for (std::uint32_t t = around[0]; seen <= around.size(); ++seen) {
      const std::size_t k = corner_of(topology.triangle(t), v) + turn;
      t = topology.across(t, k < 3 ? k : k - 3);
      if (t == Topology::irregular) return false;
      if (t == around[0]) return seen == around.size();
      if (t == Topology::none) break;
    }
  }
  return seen == around.size();
}

/// The result of `one_fan` for each vertex.
std::vector<std::uint8_t> find_fans(const Topology& topology, int threads) {
  std::vector<std::uint8_t> fans(topology.vertex_count());
  core::in_chunks(fans.size(), threads,
                  [&](std::size_t v) { fans[v] = one_fan(topology, static_cast<std::uint32_t>(v)); });
  return fans;
}

/// Steps, and the position in the tree of the triangle across each (`none` if there is none). The position is looked up
/// once and stored with the step.
struct StepList {
  core::LargeVector<std::uint32_t> steps, across;

  void add(std::uint32_t step, std::uint32_t at) {
    steps.push_back(step);
    across.push_back(at);
  }
};

/// The steps that bound each patch: those whose other side is not in it. Computed bottom up from the steps of the
/// children. Each branch of the tree makes a list of its own; these are concatenated, and the nodes above append
/// theirs.
class Contours {
 public:
  Contours(const Topology& topology, PatchTree& tree)
      : topology_(topology), tree_(tree), dirty_(tree.nodes.size()), made_(tree.branches.size()) {}

  /// `few`: most nodes are known, so that what is at a vertex is better asked when it is needed.
  void run(bool few, int threads) {
    const std::vector<std::uint8_t> fans = few ? std::vector<std::uint8_t>() : find_fans(topology_, threads);
    core::parallel_for(made_.size(), threads, [&](std::size_t b) {
      bottom_up(tree_.branches[b], [&](std::uint32_t i) {
        if (is_patch(i, fans)) collect(tree_.nodes[i], false, made_[b]);
      });
    });
    gather(threads);
    for (std::size_t k = tree_.above.size(); k-- > 0;) {
      if (!is_patch(tree_.above[k], fans)) continue;
      StepList list;
      PatchNode& n = tree_.nodes[tree_.above[k]];
      collect(n, true, list);
      n.contour_begin = static_cast<std::uint32_t>(tree_.contours.size());
      tree_.contours.insert(tree_.contours.end(), list.steps.begin(), list.steps.end());
    }
  }

 private:
  /// The contour, or its absence, is known from before a break.
  static bool is_known(const PatchNode& n) { return n.kept && n.size() >= patch_least_size; }

  /// Must a contour be computed for this node?
  bool is_patch(std::uint32_t i, const std::vector<std::uint8_t>& fans) {
    const PatchNode& n = tree_.nodes[i];
    if (is_known(n)) {
      dirty_[i] = n.contour_size == 0;
      return false;
    }
    if (n.kept) {  // a small one: nobody asks, but a parent that was not kept
      dirty_[i] = not_known;
      return false;
    }
    const bool dirty = is_dirty(i, fans);
    dirty_[i] = dirty;
    return !dirty && n.size() >= patch_least_size;
  }

  bool is_dirty(std::uint32_t i, const std::vector<std::uint8_t>& fans) const {
    const PatchNode& n = tree_.nodes[i];
    bool dirty = n.several;
    if (n.is_leaf()) {
      for (std::uint32_t k = n.begin; k < n.end; ++k)
        for (const std::uint32_t v : topology_.triangle(tree_.items[k]))
          dirty = dirty || !(fans.empty() ? one_fan(topology_, v) : fans[v] != 0);
    } else {
      for (const std::uint32_t c : {n.child, n.child + 1})
        dirty = dirty || (dirty_[c] == not_known ? is_dirty(c, fans) : dirty_[c] != 0);
    }
    return dirty;
  }

  /// `gathered`: the children's contours are stored in the tree, not in the list.
  void collect(PatchNode& n, bool gathered, StepList& list) {
    n.contour_begin = static_cast<std::uint32_t>(list.steps.size());
    const auto add = [&](std::uint32_t step, std::uint32_t across) {
      if (across < n.begin || across >= n.end) list.add(step, across);
    };
    for (const std::uint32_t child : {n.child, n.child + 1}) {
      const PatchNode& c = tree_.nodes[child];
      const std::size_t end = std::size_t{c.contour_begin} + c.contour_size;
      if (c.contour_size == 0) {
        for (std::uint32_t k = 3 * c.begin; k < 3 * c.end; ++k) {
          const std::uint32_t step = 3 * tree_.items[k / 3] + k % 3;
          add(step, position_across(step));
        }
      } else if (gathered || is_known(c)) {
        for (std::size_t k = c.contour_begin; k < end; ++k) add(tree_.contours[k], position_across(tree_.contours[k]));
      } else {
        for (std::size_t k = c.contour_begin; k < end; ++k) add(list.steps[k], list.across[k]);
      }
    }
    n.contour_size = static_cast<std::uint32_t>(list.steps.size()) - n.contour_begin;
  }
  std::uint32_t position_across(std::uint32_t step) const {
    const std::uint32_t other = topology_.across(step / 3, step % 3);
    return Topology::is_triangle(other) ? tree_.position[other] : Topology::none;
  }

  void gather(int threads) {
    std::vector<std::size_t> first;
    std::size_t all = tree_.contours.size();
    for (const StepList& list : made_) {
      first.push_back(all);
      all += list.steps.size();
    }
    tree_.contours.resize(all);
    core::parallel_for(made_.size(), threads, [&](std::size_t b) {
      std::copy(made_[b].steps.begin(), made_[b].steps.end(), tree_.contours.begin() + first[b]);
      bottom_up(tree_.branches[b], [&](std::uint32_t i) {
        PatchNode& n = tree_.nodes[i];
        if (!is_known(n) && n.contour_size > 0) n.contour_begin += static_cast<std::uint32_t>(first[b]);
      });
    });
  }

  static constexpr std::uint8_t not_known = 2;

  const Topology& topology_;
  PatchTree& tree_;
  std::vector<std::uint8_t> dirty_;  // by node: not a manifold oriented patch
  std::vector<StepList> made_;       // by branch
};

}  // namespace

void find_contours(const Topology& topology, PatchTree& tree, bool few, int threads) {
  Contours(topology, tree).run(few, threads);
}

}  // namespace graze::engine::deform
