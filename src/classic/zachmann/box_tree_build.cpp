// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "classic/zachmann/box_tree_data.hpp"
#include "core/limits.hpp"

namespace graze::classic::zachmann {

namespace {

using Items = std::vector<std::uint32_t>;

/// Cuts a box and distributes the boxes of its triangles; edges are inserted when the tree is complete.
class Builder {
 public:
  Builder(const BoxTreeBuild& build, BoxTreeData& tree) : build_(build), tree_(tree) {}

  void build_faces(std::vector<Box3> boxes) {
    boxes_ = std::move(boxes);
    Items all(boxes_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    // Indices into the lists of leaves have 32 bits, and an edge is listed at most about as often as its triangles are.
    const double budget = std::min(static_cast<double>(build_.max_copies) * static_cast<double>(boxes_.size()), 0x1p30);
    cut_box(tree_.box, std::move(all), 0, budget);
  }
  /// The second phase of 3.6.4.
  void insert_edges(std::vector<Box3> boxes) {
    boxes_ = std::move(boxes);
    Items all(boxes_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    insert(0, std::move(all));
  }

 private:
  struct Cut {
    int axis;
    double at;
    std::size_t left, right, crossing;

    double imbalance() const { return std::fabs(static_cast<double>(left) - static_cast<double>(right)); }
    double penalty(double gamma) const { return imbalance() + gamma * static_cast<double>(crossing); }
    std::size_t left_all() const { return left + crossing; }
    std::size_t right_all() const { return right + crossing; }
  };

  // Thick planes (Figure 3.28). An item entirely within the plane's thickness goes to the left side.
  static constexpr int left = 1, right = 2, both = 3;
  int side(const Box3& box, int axis, double at) const {
    if (box.hi[axis] <= at + tree_.delta) return left;
    return box.lo[axis] >= at - tree_.delta ? right : both;
  }

  Cut count(const Items& items, int axis, double at) const {
    std::size_t n[4] = {0, 0, 0, 0};
    for (const std::uint32_t i : items) ++n[side(boxes_[i], axis, at)];
    return {axis, at, n[left], n[right], n[both]};
  }

  /// Interval bisection along one axis for equal numbers on both sides. The thesis's weights do not add up to one as
  /// printed; with the factor 2 they do: balanced counts leave l (r) unchanged, an empty side moves it to the cut.
  Cut bisect(const Box3& box, const Items& items, int axis) const {
    double l = box.lo[axis], r = box.hi[axis];
    Cut best = count(items, axis, l + (r - l) / 2);
    Cut now = best;
    for (int i = 1; i < build_.max_iterations && r - l > 2 * tree_.delta; ++i) {
      const double nl = static_cast<double>(now.left), nr = static_cast<double>(now.right), sum = nl + nr;
      if (now.penalty(build_.gamma) <= build_.max_penalty || nl == nr) break;
      if (nl < nr)
        l = (2 * nl / sum) * l + ((nr - nl) / sum) * now.at;
      else
        r = (2 * nr / sum) * r + ((nl - nr) / sum) * now.at;
      now = count(items, axis, l + (r - l) / 2);
      if (now.imbalance() < best.imbalance()) best = now;
    }
    return best;
  }

  /// The stopping rules: no item, or almost all items on one side. Cuts in the middle may leave a side empty; otherwise
  /// one empty corner would end the tree.
  bool worth_it(const Cut& cut, const Items& items) const {
    const std::size_t most = std::max(cut.left_all(), cut.right_all());
    if (cut.left_all() == 0 || cut.right_all() == 0) return build_.split_in_middle && most == items.size();
    return static_cast<double>(most) <= build_.lambda * static_cast<double>(items.size());
  }

  /// Moves a plane from either end towards the middle until it would meet a polygon; at least a third must be empty.
  std::optional<Cut> empty_cut(const Box3& box, const Items& items) const {
    std::optional<Cut> best;
    double best_share = 1.0 / 3;
    for (int axis = 0; axis < 3; ++axis) {
      const double extent = box.hi[axis] - box.lo[axis];
      double first = box.hi[axis], last = box.lo[axis];
      for (const std::uint32_t i : items) {
        first = std::min(first, boxes_[i].lo[axis]);
        last = std::max(last, boxes_[i].hi[axis]);
      }
      // Two thicknesses away, so that nothing touches the thick plane.
      const double below = first - 2 * tree_.delta, above = last + 2 * tree_.delta;
      const auto offer = [&](double at, double empty) {
        if (!(empty >= best_share * extent) || !(at > box.lo[axis] && at < box.hi[axis])) return;
        const Cut cut = count(items, axis, at);
        if (cut.crossing != 0 || (cut.left != 0 && cut.right != 0)) return;
        best = cut;
        best_share = empty / extent;
      };
      offer(below, below - box.lo[axis]);
      offer(above, box.hi[axis] - above);
    }
    return best;
  }

  std::optional<Cut> choose(const Box3& box, const Items& items) const {
    if (build_.empty_first)
      if (const auto cut = empty_cut(box, items)) return cut;
    std::optional<Cut> best, longest;
    double worst = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double extent = box.hi[axis] - box.lo[axis];
      if (!(extent > 4 * tree_.delta)) continue;
      const double middle = box.lo[axis] + extent / 2;
      if (!(middle > box.lo[axis] && middle < box.hi[axis])) continue;
      const Cut cut = build_.split_in_middle ? count(items, axis, middle) : bisect(box, items, axis);
      if (!worth_it(cut, items)) continue;
      const double penalty = cut.penalty(build_.gamma);
      worst = std::max(worst, penalty);
      if (!best || penalty < best->penalty(build_.gamma)) best = cut;
      if (!longest || extent > box.hi[longest->axis] - box.lo[longest->axis]) longest = cut;
    }
    constexpr double similar = 0.1;  // of the number of polygons
    if (build_.longest_edge && best &&
        worst - best->penalty(build_.gamma) <= similar * static_cast<double>(items.size()))
      return longest;
    return best;
  }

  std::array<Items, 2> divide(const Items& items, int axis, double at) const {
    std::array<Items, 2> parts;
    for (const std::uint32_t i : items) {
      const int s = side(boxes_[i], axis, at);
      if (s & left) parts[0].push_back(i);
      if (s & right) parts[1].push_back(i);
    }
    return parts;
  }

  std::uint32_t make_leaf(std::uint32_t node, const Items& items) {
    tree_.nodes[node] = {0, static_cast<std::uint32_t>(tree_.leaves.size()), 0, BoxTreeData::leaf_axis};
    const auto first = static_cast<std::uint32_t>(tree_.faces.size());
    tree_.faces.insert(tree_.faces.end(), items.begin(), items.end());
    tree_.leaves.push_back({first, static_cast<std::uint32_t>(tree_.faces.size()), 0, 0});
    return node;
  }

  /// `budget`: how many triangles the leaves below may list together; distributed in proportion, so that the order of
  /// building does not matter.
  std::uint32_t cut_box(const Box3& box, Items items, int depth, double budget) {
    core::poll_once();
    const auto node = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.push_back({});
    tree_.depth = std::max(tree_.depth, depth);
    if (depth >= build_.max_depth || items.size() <= static_cast<std::size_t>(build_.min_polygons))
      return make_leaf(node, items);
    const std::optional<Cut> cut = choose(box, items);
    if (!cut) return make_leaf(node, items);
    const double nl = static_cast<double>(cut->left_all()), nr = static_cast<double>(cut->right_all());
    if (nl + nr > budget) return make_leaf(node, items);
    std::array<Items, 2> parts = divide(items, cut->axis, cut->at);
    Items().swap(items);
    Box3 lower = box, upper = box;
    lower.hi[cut->axis] = upper.lo[cut->axis] = cut->at;
    const std::uint32_t l = cut_box(lower, std::move(parts[0]), depth + 1, budget * nl / (nl + nr));
    const std::uint32_t r = cut_box(upper, std::move(parts[1]), depth + 1, budget * nr / (nl + nr));
    tree_.nodes[node] = {cut->at, l, r, cut->axis};
    return node;
  }

  void insert(std::uint32_t node, Items items) {
    const BoxTreeData::Node n = tree_.nodes[node];
    if (n.is_leaf()) {
      BoxTreeData::Leaf& leaf = tree_.leaves[n.left];
      leaf.first_edge = static_cast<std::uint32_t>(tree_.edges.size());
      tree_.edges.insert(tree_.edges.end(), items.begin(), items.end());
      leaf.last_edge = static_cast<std::uint32_t>(tree_.edges.size());
      return;
    }
    std::array<Items, 2> parts = divide(items, n.axis, n.cut);
    Items().swap(items);
    insert(n.left, std::move(parts[0]));
    insert(n.right, std::move(parts[1]));
  }

  const BoxTreeBuild& build_;
  BoxTreeData& tree_;
  std::vector<Box3> boxes_;
};

template <class Elements>
std::vector<Box3> boxes_of(const Mesh& mesh, const Elements& elements) {
  std::vector<Box3> boxes;
  boxes.reserve(elements.size());
  for (const auto& element : elements) {
    Box3& box = boxes.emplace_back();
    for (const std::uint32_t v : element) box.add(mesh.positions()[v]);
  }
  return boxes;
}

}  // namespace

BoxTreeData::BoxTreeData(const Mesh& mesh, const body::EdgeList& edge_list, const BoxTreeBuild& build)
    : box(mesh.box()), halved(build.split_in_middle && !build.empty_first) {
  const double extent = std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z});
  BoxTreeBuild allowed = build;
  if (std::isfinite(extent))
    delta = build.thickness * extent;
  else
    allowed.max_depth = 0;  // extents overflow: one leaf, and the exact tests alone decide
  Builder builder(allowed, *this);
  builder.build_faces(boxes_of(mesh, mesh.triangles()));
  builder.insert_edges(boxes_of(mesh, edge_list.vertices));
}

}  // namespace graze::classic::zachmann
