// SPDX-License-Identifier: MIT
#include "bvh/wide_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bvh/box_f.hpp"

namespace graze::bvh {

namespace {

constexpr int width = WideNode::width;

/// Only chooses which children are opened first. Bodies' boxes are in [-1, 1] (FloatFrame), so it does not overflow; if
/// it underflows to 0 the first child is taken, and NaN, which larger boxes could give, would only end the choice
/// early.
float area(const BoxF& b) {
  const float x = b.hi[0] - b.lo[0], y = b.hi[1] - b.lo[1], z = b.hi[2] - b.lo[2];
  return x * y + y * z + z * x;
}

/// Quantises the boxes of one node. The decoded bounds are verified with the same expression that decodes them, so that
/// correctness does not depend on the first guess: 1 / scale may be infinite, its products NaN.
void encode(WideNode& node, std::span<const BoxF> boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    float lo = std::numeric_limits<float>::infinity(), hi = -lo;
    for (const BoxF& b : boxes) {
      lo = std::min(lo, b.lo[axis]);
      hi = std::max(hi, b.hi[axis]);
    }
    node.origin[axis] = lo;
    float scale = (hi - lo) / 255;
    while (lo + scale * 255 < hi) scale = std::nextafter(scale, std::numeric_limits<float>::infinity());
    node.scale[axis] = scale;
    const float inverse = scale > 0 ? 1 / scale : 0;
    for (int i = 0; i < width; ++i) {
      if (i >= static_cast<int>(boxes.size())) {  // unused: never read, but defined
        node.lo[axis][i] = node.hi[axis][i] = 0;
        continue;
      }
      const BoxF& b = boxes[static_cast<std::size_t>(i)];
      const auto guess = [&](float x) {
        const float q = (x - lo) * inverse;
        return q >= 255 ? 255 : q >= 0 ? static_cast<int>(q) : 0;  // NaN: 0
      };
      int q_lo = guess(b.lo[axis]), q_hi = guess(b.hi[axis]);
      const auto decoded = [&](int q) { return lo + scale * static_cast<float>(q); };
      while (q_lo > 0 && decoded(q_lo) > b.lo[axis]) --q_lo;
      while (q_hi < 255 && decoded(q_hi) < b.hi[axis]) ++q_hi;
      node.lo[axis][i] = static_cast<std::uint8_t>(q_lo);
      node.hi[axis][i] = static_cast<std::uint8_t>(q_hi);
    }
  }
  node.count = static_cast<std::uint8_t>(boxes.size());
}

/// The up to eight descendants of a binary inner node that become the children of the wide node, left to right.
int choose_children(const Tree& tree, std::uint32_t node, std::array<std::uint32_t, width>& out) {
  int n = 2;
  out[0] = tree.nodes[node].first;
  out[1] = tree.nodes[node].first + 1;
  while (n < width) {
    int best = -1;
    float best_area = -1;
    for (int i = 0; i < n; ++i) {
      const Node& c = tree.nodes[out[i]];
      if (!c.is_leaf() && area(c.box) > best_area) {
        best = i;
        best_area = area(c.box);
      }
    }
    if (best < 0) break;
    const std::uint32_t left = tree.nodes[out[best]].first;
    std::copy_backward(out.begin() + best + 1, out.begin() + n, out.begin() + n + 1);
    out[best] = left;
    out[best + 1] = left + 1;
    ++n;
  }
  return n;
}

}  // namespace

WideTree widen(const Tree& tree, std::span<const BoxF> boxes) {
  WideTree wide;
  wide.items.reserve(tree.items.size());
  wide.nodes.reserve(tree.items.size() / 4 + 1);
  std::vector<std::uint32_t> source{0};  // the binary node of each wide node
  wide.nodes.emplace_back();
  for (std::size_t w = 0; w < wide.nodes.size(); ++w) {
    const Node& binary = tree.nodes[source[w]];
    std::array<BoxF, width> children;
    if (binary.is_leaf()) {
      WideNode& node = wide.nodes[w];
      node.bottom = 1;
      node.first = static_cast<std::uint32_t>(wide.items.size());
      for (std::uint32_t i = 0; i < binary.count; ++i) {
        const std::uint32_t item = tree.items[binary.first + i];
        wide.items.push_back(item);
        children[i] = boxes[item];
      }
      encode(node, {children.data(), binary.count});
      continue;
    }
    std::array<std::uint32_t, width> chosen;
    const int n = choose_children(tree, source[w], chosen);
    for (int i = 0; i < n; ++i) children[i] = tree.nodes[chosen[i]].box;
    WideNode& node = wide.nodes[w];
    node.bottom = 0;
    node.first = static_cast<std::uint32_t>(wide.nodes.size());
    encode(node, {children.data(), static_cast<std::size_t>(n)});
    for (int i = 0; i < n; ++i) {
      WideNode& child = wide.nodes.emplace_back();
      child.slot = static_cast<std::uint8_t>(i);
      child.siblings = static_cast<std::uint8_t>(n);
      source.push_back(chosen[i]);
    }
  }
  return wide;
}

void refit(WideTree& tree, std::span<const BoxF> boxes) {
  std::vector<BoxF> whole(tree.nodes.size());
  std::array<BoxF, width> children;
  // Children are stored after their parents, so one backward pass reaches them first.
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    WideNode& node = tree.nodes[i];
    const std::size_t n = node.count;
    for (std::size_t k = 0; k < n; ++k)
      children[k] = node.bottom ? boxes[tree.items[node.first + k]] : whole[node.first + k];
    whole[i] = children[0];
    for (std::size_t k = 1; k < n; ++k) whole[i] = merged(whole[i], children[k]);
    encode(node, {children.data(), n});
  }
}

double cost(const WideTree& tree) {
  const auto surface = [](const WideNode& n) {
    const double x = n.scale[0], y = n.scale[1], z = n.scale[2];
    return x * y + y * z + z * x;
  };
  double sum = 0;
  for (const WideNode& n : tree.nodes) sum += surface(n);
  const double root = surface(tree.nodes[0]);
  return root > 0 ? sum / root : 1;
}

}  // namespace graze::bvh
