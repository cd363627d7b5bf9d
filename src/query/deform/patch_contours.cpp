// SPDX-License-Identifier: MIT
#include "query/deform/patch_contours.hpp"

#include "query/deform/topology.hpp"

namespace graze::query {

namespace {

/// Is the mesh an oriented surface at all edges and corners of a triangle: every edge with one triangle, or two that
/// walk it in opposite directions, and the triangles around each corner one fan? (DESIGN 4: manifold oriented patch.)
class Clean {
 public:
  explicit Clean(const Topology& t) : t_(t), known_(t.vertex_count(), unknown) {}

  bool operator()(std::uint32_t t) {
    const Triangle& x = t_.triangle(t);
    return vertex(x[0]) && vertex(x[1]) && vertex(x[2]);
  }

 private:
  enum Known : std::uint8_t { unknown, no, yes };
  bool vertex(std::uint32_t v) {
    if (known_[v] == unknown) known_[v] = one_fan(v) ? yes : no;
    return known_[v] == yes;
  }
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
  std::vector<Known> known_;
};

/// The steps that bound each patch: those whose other side is not in it. Taken from its children's, bottom up. Where
/// the triangle across a step stands in the tree is looked up once and handed on with the step.
class Contours {
 public:
  Contours(const Topology& topology, PatchTree& tree)
      : topology_(topology), tree_(tree), kept_(tree.contours.size()), across_(tree.contours.size()) {}

  void run() {
    Clean clean(topology_);
    std::vector<bool> dirty(tree_.nodes.size(), false);
    for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
      PatchNode& n = tree_.nodes[i];
      if (n.kept && n.size() >= patch_least_size) {
        dirty[i] = n.contour_size == 0;
        continue;
      }
      if (n.is_leaf()) {
        for (std::uint32_t k = n.begin; k < n.end; ++k)
          if (!clean(tree_.items[k])) dirty[i] = true;
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
  std::size_t kept_;                   // steps that were there before: of these it is not known
  std::vector<std::uint32_t> across_;  // by step of the contours: where the triangle across stands, `none` if none does
};

}  // namespace

void find_contours(const Topology& topology, PatchTree& tree) { Contours(topology, tree).run(); }

}  // namespace graze::query
