// SPDX-License-Identifier: MIT
#include "classic/contact/interval_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bv/min_max_box.hpp"
#include "core/limits.hpp"

namespace graze::classic::contact {
namespace {

class Builder {
 public:
  Builder(const IntervalItems& items, std::vector<IntervalNode>& nodes)
      : items_(items), nodes_(nodes), order_(items.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    centres_.reserve(order_.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i % 4096 == 0) core::poll_once();
      // Divide before summing, so that the largest coordinates do not overflow.
      const double share = 1.0 / static_cast<double>(items[i].size());
      Vec3 centre;
      for (const Vec3& p : items[i]) centre = centre + share * p;
      centres_.push_back(centre);
    }
  }

  void run() {
    nodes_.reserve(2 * order_.size());
    nodes_.resize(1);
    std::vector<Task> tasks{{0, 0, static_cast<std::uint32_t>(order_.size())}};
    while (!tasks.empty()) {  // no recursion: only the number of items bounds the depth
      core::poll_once();
      const Task task = tasks.back();
      tasks.pop_back();
      make(task, tasks);
    }
  }

 private:
  struct Task {
    std::uint32_t node, first, last;
  };

  void make(const Task& task, std::vector<Task>& tasks) {
    points_.clear();
    double wider = 0;
    for (std::uint32_t i = task.first; i < task.last; ++i) {
      if (i % 4096 == 0) core::poll_once();
      const std::span<const Vec3> of_item = items_[order_[i]];
      points_.insert(points_.end(), of_item.begin(), of_item.end());
      if (!items_.radius.empty()) wider = std::max(wider, items_.radius[order_[i]]);
    }
    IntervalNode& node = nodes_[task.node];
    node.box = bv::fit_min_max_box(points_);
    for (int k = 0; wider > 0 && k < 3; ++k) node.box.half[k] = (node.box.half[k] + wider) * (1 + 0x1p-40);
    // The axes have unit length to within 2^-48, and `length` is accurate to a few units in the last place.
    node.radius = length(node.box.half) * (1 + 0x1p-40);
    if (task.last - task.first == 1) {
      node.leaf = true;
      node.first = order_[task.first];
      return;
    }
    const std::uint32_t middle = split(task, node.box);
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    node.first = child;
    nodes_.resize(nodes_.size() + 2);
    nodes_[child].parent = nodes_[child + 1].parent = task.node;
    tasks.push_back({child + 1, middle, task.last});
    tasks.push_back({child, task.first, middle});
  }

  /// Splits at the mean along the longest axis; along the next one if almost all items lie on one side of it, which
  /// would make the tree needlessly deep; in the middle of the list if no axis separates them.
  std::uint32_t split(const Task& task, const bv::OrientedBox& box) {
    std::array<int, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](int i, int j) { return box.half[i] > box.half[j]; });
    const auto begin = order_.begin() + task.first, end = order_.begin() + task.last;
    for (const int k : axes) {
      const auto along = [&](std::uint32_t i) { return dot(box.axis[k], centres_[i] - box.centre); };
      double mean = 0;
      const double share = 1.0 / (task.last - task.first);
      for (auto i = begin; i != end; ++i) mean += share * along(*i);
      const auto middle = std::stable_partition(begin, end, [&](std::uint32_t i) { return along(i) < mean; });
      const auto least = std::min(middle - begin, end - middle);
      if (least > (end - begin) / 64) return static_cast<std::uint32_t>(middle - order_.begin());
    }
    return task.first + (task.last - task.first) / 2;
  }

  const IntervalItems& items_;
  std::vector<IntervalNode>& nodes_;
  std::vector<std::uint32_t> order_;
  std::vector<Vec3> centres_, points_;
};

IntervalItems triangles_of(const Mesh& mesh) {
  IntervalItems items;
  items.points.reserve(3 * mesh.triangle_count());
  items.first.reserve(mesh.triangle_count() + 1);
  for (const Triangle& t : mesh.triangles()) {
    if (items.first.size() % 4096 == 0) core::poll_once();
    const std::array<Vec3, 3> corners{mesh.positions()[t[0]], mesh.positions()[t[1]], mesh.positions()[t[2]]};
    items.add(corners);
  }
  return items;
}

}  // namespace

IntervalTree::IntervalTree(const IntervalItems& items) { Builder(items, nodes).run(); }
IntervalTree::IntervalTree(const Mesh& mesh) : IntervalTree(triangles_of(mesh)) {}

}  // namespace graze::classic::contact
