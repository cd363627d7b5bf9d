// SPDX-License-Identifier: MIT
#include "engine/deform/tree/culling.hpp"
#include "engine/deform/tree/forest.hpp"
#include "engine/deform/tree/patch_contours.hpp"
#include "engine/deform/tree/tree_branches.hpp"

namespace graze::engine::deform {

namespace {

/// Depth first, so that the triangles below a node are contiguous.
class Layout {
 public:
  Layout(const Forest& f, const PatchTree* old, PatchTree& out) : f_(f), old_(old), out_(out) {}

  void run() {
    out_.nodes.emplace_back();
    stack_.push_back({f_.root, 0});
    while (!stack_.empty()) {
      const Place p = stack_.back();
      stack_.pop_back();
      place(p.number, p.at);
    }
    out_.position.resize(out_.items.size());
    for (std::uint32_t i = 0; i < out_.items.size(); ++i) out_.position[out_.items[i]] = i;
    list_parts();
  }

 private:
  struct Place {
    std::uint32_t number, at;  ///< number in the forest; index of the node to fill
  };

  void place(std::uint32_t number, std::uint32_t at) {
    const std::size_t units = f_.units.size();
    if (number < units && f_.units[number].node) return keep(f_.units[number].id, at);
    PatchNode n;
    n.begin = static_cast<std::uint32_t>(out_.items.size());
    n.end = n.begin + f_.counts[number];
    n.several = number >= f_.first_above;
    if (f_.counts[number] <= patch_leaf_size) {
      emit(number);
    } else {
      const auto& [left, right] = f_.joined[number - units];
      if (n.several) set_culling(n, number, left, right);
      n.child = add_children(left, right);
    }
    out_.nodes[at] = n;
  }

  void set_culling(PatchNode& n, std::uint32_t number, std::uint32_t left, std::uint32_t right) const {
    const std::size_t above = number - f_.first_above;
    n.kept = above < f_.kept_culling.size() && f_.kept_culling[above] >= 0;
    n.culling = n.kept ? f_.kept_culling[above] : culling(f_.boxes[number], f_.boxes[left], f_.boxes[right]);
  }

  /// A node with its subtree, whose nodes and items are contiguous.
  void keep(std::uint32_t old, std::uint32_t at) {
    const PatchNode& root = old_->nodes[old];
    const auto items = static_cast<std::uint32_t>(out_.items.size()) - root.begin;  // shifts, modulo 2^32
    const std::uint32_t below = root.is_leaf() ? 0 : static_cast<std::uint32_t>(out_.nodes.size()) - root.child;
    out_.items.insert(out_.items.end(), old_->items.begin() + root.begin, old_->items.begin() + root.end);
    const auto shifted = [&](PatchNode n) {
      n.kept = true;
      n.begin += items;
      n.end += items;
      if (!n.is_leaf()) n.child += below;
      const auto steps = old_->contours.begin() + n.contour_begin;
      n.contour_begin = static_cast<std::uint32_t>(out_.contours.size());
      out_.contours.insert(out_.contours.end(), steps, steps + n.contour_size);
      return n;
    };
    out_.nodes[at] = shifted(root);
    if (root.is_leaf()) return;
    const std::uint32_t end = end_of_branch(*old_, old);
    for (std::uint32_t i = root.child; i < end; ++i) out_.nodes.push_back(shifted(old_->nodes[i]));
  }

  std::uint32_t add_children(std::uint32_t left, std::uint32_t right) {
    const auto child = static_cast<std::uint32_t>(out_.nodes.size());
    out_.nodes.resize(child + 2u);
    stack_.push_back({right, child + 1});
    stack_.push_back({left, child});
    return child;
  }

  void emit(std::uint32_t number) {
    below_.assign(1, number);
    while (!below_.empty()) {
      const std::uint32_t n = below_.back();
      below_.pop_back();
      if (n >= f_.units.size()) {
        below_.push_back(f_.joined[n - f_.units.size()][1]);
        below_.push_back(f_.joined[n - f_.units.size()][0]);
      } else if (f_.units[n].node) {
        const PatchNode& old = old_->nodes[f_.units[n].id];
        for (std::uint32_t k = old.begin; k < old.end; ++k) out_.items.push_back(old_->items[k]);
      } else {
        out_.items.push_back(f_.units[n].id);
      }
    }
  }

  void list_parts() {
    below_.assign(1, 0);
    while (!below_.empty()) {
      const std::uint32_t i = below_.back();
      below_.pop_back();
      if (out_.nodes[i].several && !out_.nodes[i].is_leaf()) {
        below_.push_back(out_.nodes[i].child + 1);
        below_.push_back(out_.nodes[i].child);
      } else {
        out_.parts.push_back(i);
      }
    }
  }

  const Forest& f_;
  const PatchTree* old_;
  PatchTree& out_;
  std::vector<Place> stack_;
  std::vector<std::uint32_t> below_;
};

}  // namespace

PatchTree lay_out(Forest& f, const PatchTree* old, const Topology& topology, int threads) {
  PatchTree tree;
  tree.items.reserve(topology.triangle_count());
  Layout(f, old, tree).run();
  tree.cut();
  find_contours(topology, tree, old != nullptr, threads);
  return tree;
}

}  // namespace graze::engine::deform
