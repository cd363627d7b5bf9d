// SPDX-License-Identifier: MIT
#include "query/wide_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"

namespace graze::query {

FloatFrame::FloatFrame(const Box3& box) {
  // Halves first: the sum of the bounds could overflow.
  centre = {box.lo.x / 2 + box.hi.x / 2, box.lo.y / 2 + box.hi.y / 2, box.lo.z / 2 + box.hi.z / 2};
  double half = 0;
  for (int i = 0; i < 3; ++i) half = std::max({half, box.hi[i] / 2 - centre[i] / 2, centre[i] / 2 - box.lo[i] / 2});
  // Twice `half` is the reach of the box from its centre, rounded; one power of two more than it needs is harmless.
  if (half > 0) {
    std::frexp(half, &exponent);
    ++exponent;
    if (std::ldexp(half * 2, -exponent) > 0.999) ++exponent;
  }
}

Vec3 FloatFrame::to_frame(const Vec3& x) const {
  const auto coordinate = [this](double v, double c) {
    const double d = v - c;
    // Beyond the range of doubles the scaling has to come first.
    return std::isfinite(d) ? std::ldexp(d, -exponent) : std::ldexp(v, -exponent) - std::ldexp(c, -exponent);
  };
  return {coordinate(x.x, centre.x), coordinate(x.y, centre.y), coordinate(x.z, centre.z)};
}

namespace {

/// The frame's coordinates of a vertex, with the scaling done by one multiplication where that cannot overflow.
class ToFrame {
 public:
  explicit ToFrame(const FloatFrame& frame)
      : frame_(frame), scale_(frame.exponent > -1000 && frame.exponent < 1000 ? std::ldexp(1.0, -frame.exponent) : 0) {}
  Vec3 operator()(const Vec3& x) const { return scale_ > 0 ? (x - frame_.centre) * scale_ : frame_.to_frame(x); }

 private:
  const FloatFrame& frame_;
  double scale_;
};

constexpr std::size_t chunk = 1 << 14;
std::size_t chunks(std::size_t n) { return (n + chunk - 1) / chunk; }

std::vector<bvh::BoxF> boxes_of(const Mesh& mesh, const ToFrame& to_frame, int threads) {
  std::vector<bvh::BoxF> boxes(mesh.triangle_count());
  core::parallel_for(chunks(boxes.size()), threads, [&](std::size_t c) {
    for (std::size_t t = c * chunk; t < std::min(boxes.size(), (c + 1) * chunk); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 p = to_frame(mesh.positions()[mesh.triangles()[t][k]]);
        for (int i = 0; i < 3; ++i) {
          const auto f = static_cast<float>(p[i]);
          boxes[t].lo[i] = k == 0 ? f : std::min(boxes[t].lo[i], f);
          boxes[t].hi[i] = k == 0 ? f : std::max(boxes[t].hi[i], f);
        }
      }
  });
  return boxes;
}

}  // namespace

WideTree::WideTree(const Mesh& mesh, int threads) : frame(mesh.box()) {
  // The boxes bound the rounded corners; queries widen by the corners' rounding (see TreeFrame).
  build(boxes_of(mesh, ToFrame(frame), threads), threads);
  add_triangles(mesh, threads);
}

WideTree::WideTree(const Mesh& mesh, const WideTree& before, int threads)
    : frame(mesh.box()), tree(before.tree), built_cost(before.built_cost), refitted(true) {
  const std::vector<bvh::BoxF> boxes = boxes_of(mesh, ToFrame(frame), threads);
  bvh::refit(tree, boxes);
  // Boxes half as large again are about where walks take as much longer as a new tree costs.
  constexpr double loose = 1.5;
  if (bvh::cost(tree) > loose * built_cost) {
    refitted = false;
    build(boxes, threads);
  }
  add_triangles(mesh, threads);
}

void WideTree::build(std::span<const bvh::BoxF> boxes, int threads) {
  tree = bvh::widen(bvh::build(boxes, {.max_leaf_size = bvh::WideNode::width, .threads = threads}), boxes);
  built_cost = bvh::cost(tree);
}

void WideTree::add_triangles(const Mesh& mesh, int threads) {
  const ToFrame to_frame(frame);
  corners.resize(9 * mesh.triangle_count() + 8);
  core::parallel_for(chunks(tree.nodes.size()), threads, [&](std::size_t c) {
    for (std::size_t n = c * chunk; n < std::min(tree.nodes.size(), (c + 1) * chunk); ++n) {
      const bvh::WideNode& node = tree.nodes[n];
      if (!node.bottom) continue;
      float* rows = corners.data() + 9 * std::size_t{node.first};
      for (std::uint32_t item = 0; item < node.count; ++item)
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3 p = to_frame(mesh.positions()[mesh.triangles()[tree.items[node.first + item]][k]]);
          for (std::size_t i = 0; i < 3; ++i)
            rows[(3 * k + i) * node.count + item] = static_cast<float>(p[static_cast<int>(i)] - node.origin[i]);
        }
    }
  });
  slabs = Slabs(tree, corners);
}

}  // namespace graze::query
