// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "bvh/limits.hpp"
#include "bvh/refit.hpp"
#include "bvh/split.hpp"
#include "bvh/tree.hpp"
#include "core/parallel.hpp"

namespace graze::bvh {
namespace {

/// A range of entries from which the node `node` will be built; `side` tells which of the two buffers holds it.
struct Task {
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t node;
  int depth;
  int side;
};

class Builder {
 public:
  Builder(std::size_t count, const BuildOptions& options)
      : max_leaf_(std::max(options.max_leaf_size, 1u)), threads_(options.threads), count_(count) {
    for (auto& b : buffer_) b = std::unique_ptr<Entry[]>(new Entry[count]);
    tree_.items.resize(count);
  }

  Entry* entries() { return buffer_[0].get(); }
  Tree run();

 private:
  std::span<Entry> range(const Task& t, int side) { return {buffer_[side].get() + t.first, t.count}; }
  std::size_t split(const Task& t, Node& node);
  void grow_top(std::vector<Task>& waiting);
  void grow(const Task& task, std::vector<Node>& nodes);

  std::uint32_t max_leaf_;
  int threads_;
  std::size_t count_;
  std::unique_ptr<Entry[]> buffer_[2];
  Tree tree_;
};

/// Fills in the node of a task; returns the size of its first part, or 0 if it became a leaf.
std::size_t Builder::split(const Task& t, Node& node) {
  const auto from = range(t, t.side);
  const Measure m = measure(from);
  node.box = m.boxes.box();
  node.count = 0;
  if (t.count > max_leaf_) {
    const auto into = range(t, 1 - t.side);
    return t.depth < last_free_depth ? split_by_area(from, into, m) : split_in_half(from, into, m);
  }
  node.first = t.first;
  node.count = t.count;
  for (std::uint32_t i = 0; i < t.count; ++i) tree_.items[t.first + i] = from[i].index();
  return 0;
}

/// Builds the subtree of `task.node`. New nodes are appended to `nodes`, parents first.
void Builder::grow(const Task& task, std::vector<Node>& nodes) {
  Task stack[max_depth + 2];
  int size = 0;
  stack[size++] = task;
  while (size > 0) {
    const Task t = stack[--size];
    Node node;
    const auto left = static_cast<std::uint32_t>(split(t, node));
    if (left != 0) {
      node.first = static_cast<std::uint32_t>(nodes.size());
      nodes.resize(nodes.size() + 2);
      stack[size++] = {t.first + left, t.count - left, node.first + 1, t.depth + 1, 1 - t.side};
      stack[size++] = {t.first, left, node.first, t.depth + 1, 1 - t.side};
    }
    nodes[t.node] = node;
  }
}

/// Level by level, all nodes of a level in parallel, until the ranges are small enough for one task each. The threshold
/// depends on the input alone: the tree must not depend on the number of threads.
void Builder::grow_top(std::vector<Task>& waiting) {
  const std::size_t small = std::max<std::size_t>(4096, count_ / 128);
  std::vector<Task> level{{0, static_cast<std::uint32_t>(count_), 0, 0, 0}};
  std::vector<std::size_t> left;
  tree_.nodes.resize(1);
  while (!level.empty()) {
    std::vector<Task> large;
    for (const Task& t : level) (t.count > small && t.count > max_leaf_ ? large : waiting).push_back(t);
    left.assign(large.size(), 0);
    core::parallel_for(large.size(), threads_,
                       [&](std::size_t i) { left[i] = split(large[i], tree_.nodes[large[i].node]); });
    level.clear();
    for (std::size_t i = 0; i < large.size(); ++i) {
      const Task& t = large[i];
      const auto first = static_cast<std::uint32_t>(tree_.nodes.size());
      const auto n = static_cast<std::uint32_t>(left[i]);
      tree_.nodes[t.node].first = first;
      tree_.nodes.resize(tree_.nodes.size() + 2);
      level.push_back({t.first, n, first, t.depth + 1, 1 - t.side});
      level.push_back({t.first + n, t.count - n, first + 1, t.depth + 1, 1 - t.side});
    }
  }
  std::sort(waiting.begin(), waiting.end(), [](const Task& a, const Task& b) { return a.first < b.first; });
}

Tree Builder::run() {
  std::vector<Task> waiting;
  grow_top(waiting);
  if (threads_ <= 1 || waiting.size() <= 1) {
    tree_.nodes.reserve(tree_.nodes.size() + count_);
    for (const Task& t : waiting) grow(t, tree_.nodes);
    tree_.nodes.shrink_to_fit();
    return std::move(tree_);
  }
  // Each subtree is built into its own array; concatenating them in order gives what one thread would have written.
  std::vector<std::vector<Node>> parts(waiting.size());
  core::parallel_for(waiting.size(), threads_, [&](std::size_t i) {
    Task t = waiting[i];
    t.node = 0;
    parts[i].reserve(t.count);
    parts[i].resize(1);
    grow(t, parts[i]);
  });
  std::vector<std::size_t> offset(waiting.size());
  std::size_t total = tree_.nodes.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    offset[i] = total;
    total += parts[i].size() - 1;
  }
  tree_.nodes.resize(total);
  core::parallel_for(waiting.size(), threads_, [&](std::size_t i) {
    const auto shift = static_cast<std::uint32_t>(offset[i] - 1);
    for (std::size_t k = 0; k < parts[i].size(); ++k) {
      Node node = parts[i][k];
      if (!node.is_leaf()) node.first += shift;
      tree_.nodes[k == 0 ? waiting[i].node : k + shift] = node;
    }
  });
  return std::move(tree_);
}

/// The power of two that scales the largest finite coordinate to about 1. Nothing if no scaling is needed: no bound is
/// infinite, and no area can overflow or underflow: coordinates up to 2^40 have areas times counts below 2^40+40+3+32.
/// Areas of small boxes in a large tree may underflow to 0. Areas only choose where to split, and any split gives a
/// correct tree.
std::optional<float> normalising_scale(std::span<const BoxF> boxes) {
  const float limit = std::numeric_limits<float>::max();
  bool infinite = false;
  float largest = 0.0f;
  for (const BoxF& b : boxes) {
    float here = 0.0f;
    for (int k = 0; k < 3; ++k) here = std::max({here, std::abs(b.lo[k]), std::abs(b.hi[k])});
    infinite |= !(here <= limit);
    if (here <= limit) largest = std::max(largest, here);
  }
  constexpr float big = 0x1p40f;
  if (!infinite && (largest == 0.0f || (largest <= big && largest >= 1 / big))) return std::nullopt;
  return largest == 0.0f ? 0.5f : std::ldexp(1.0f, std::clamp(-std::ilogb(largest), -126, 126));
}

Tree build_normal(std::span<const BoxF> boxes, const BuildOptions& options) {
  Builder builder(boxes.size(), options);
  Entry* entry = builder.entries();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    entry[i] = {negate(load3(boxes[i].lo)), load3(boxes[i].hi)};
    entry[i].set_index(static_cast<std::uint32_t>(i));
  }
  return builder.run();
}

}  // namespace

Tree build(std::span<const BoxF> boxes, const BuildOptions& options) {
  if (boxes.empty()) return {};
  const std::optional<float> scale = normalising_scale(boxes);
  if (!scale) return build_normal(boxes, options);
  // Huge, tiny or infinite boxes: split scaled and clamped copies, then compute the bounds from the original boxes.
  std::vector<BoxF> scaled(boxes.begin(), boxes.end());
  for (BoxF& b : scaled) {
    for (int k = 0; k < 3; ++k) {
      b.lo[k] = std::clamp(b.lo[k] * *scale, -4.0f, 4.0f);
      b.hi[k] = std::clamp(b.hi[k] * *scale, -4.0f, 4.0f);
    }
  }
  Tree tree = build_normal(scaled, options);
  refit(tree, boxes);
  return tree;
}

}  // namespace graze::bvh
