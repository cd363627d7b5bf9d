// SPDX-License-Identifier: MIT
#include "query/deform/patch_contours.hpp"

#include "query/deform/chunks.hpp"
#include "query/deform/topology.hpp"

namespace graze::query {

namespace {

/// Is the mesh an oriented surface around a vertex: every edge there with one triangle, or two that walk it in opposite
/// directions, and its triangles one fan? (DESIGN 4: manifold oriented patch.) Then going around in both directions
/// from any of them, all are met. (Triangles that have a corner twice have irregular edges only.)
bool one_fan(const Topology& topology, std::uint32_t v) {
  const auto around = topology.around(v);
  if (around.empty()) return true;
  std::size_t seen = 1;
  for (const std::size_t turn : {2, 0}) {  // across the edge that comes to v, then across the one that leaves it
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

/// By vertex: is it so around each?
std::vector<std::uint8_t> find_fans(const Topology& topology, int threads) {
  std::vector<std::uint8_t> fans(topology.vertex_count());
  in_chunks(fans.size(), threads, [&](std::size_t v) { fans[v] = one_fan(topology, static_cast<std::uint32_t>(v)); });
  return fans;
}

/// The steps that bound each patch: those whose other side is not in it. Taken from its children's, bottom up. Where
/// the triangle across a step stands in the tree is looked up once and handed on with the step.
class Contours {
 public:
  Contours(const Topology& topology, PatchTree& tree)
      : topology_(topology), tree_(tree), kept_(tree.contours.size()), across_(tree.contours.size()) {}

  void run(int threads) {
    const std::vector<std::uint8_t> fans = find_fans(topology_, threads);
    std::vector<bool> dirty(tree_.nodes.size(), false);
    for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
      PatchNode& n = tree_.nodes[i];
      if (n.kept && n.size() >= patch_least_size) {
        dirty[i] = n.contour_size == 0;
        continue;
      }
      if (n.is_leaf()) {
        for (std::uint32_t k = n.begin; k < n.end; ++k)
          for (const std::uint32_t v : topology_.triangle(tree_.items[k]))
            if (!fans[v]) dirty[i] = true;
      } else {
        dirty[i] = dirty[n.child] || dirty[n.child + 1];
      }
      if (n.several) dirty[i] = true;
      if (!dirty[i] && n.size() >= patch_least_size) collect(n);
    }
  }

 private:
  void collect(PatchNode& n) {
    n.contour_begin = static_cast<std::uint32_t>(tree_.contours.size());
    for (const std::uint32_t child : {n.child, n.child + 1}) {
      const PatchNode& c = tree_.nodes[child];
      const std::size_t end = std::size_t{c.contour_begin} + c.contour_size;
      for (std::size_t k = c.contour_begin; k < end; ++k)
        add(n, tree_.contours[k], k < kept_ ? position_across(tree_.contours[k]) : across_[k]);
      if (c.contour_size > 0) continue;
      for (std::uint32_t k = c.begin; k < c.end; ++k)
        for (std::uint32_t e = 0; e < 3; ++e) {
          const std::uint32_t step = 3 * tree_.items[k] + e;
          add(n, step, position_across(step));
        }
    }
    n.contour_size = static_cast<std::uint32_t>(tree_.contours.size()) - n.contour_begin;
  }
  std::uint32_t position_across(std::uint32_t step) const {
    const std::uint32_t other = topology_.across(step / 3, step % 3);
    return Topology::is_triangle(other) ? tree_.position[other] : Topology::none;
  }
  void add(const PatchNode& n, std::uint32_t step, std::uint32_t across) {
    if (across >= n.begin && across < n.end) return;
    tree_.contours.push_back(step);
    across_.push_back(across);
  }

  const Topology& topology_;
  PatchTree& tree_;
  std::size_t kept_;  // steps that were there before: of these it is not known
  core::LargeVector<std::uint32_t>
      across_;  // by step of the contours: where the triangle across stands, `none` if none does
};

}  // namespace

void find_contours(const Topology& topology, PatchTree& tree, int threads) { Contours(topology, tree).run(threads); }

}  // namespace graze::query
