// SPDX-License-Identifier: MIT
#include "body/wide_tree.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/parallel.hpp"

namespace graze::body {

FloatFrame::FloatFrame(const Box3& box) {
  // Halve first: the sum of the bounds could overflow.
  centre = {box.lo.x / 2 + box.hi.x / 2, box.lo.y / 2 + box.hi.y / 2, box.lo.z / 2 + box.hi.z / 2};
  double half = 0;
  for (int i = 0; i < 3; ++i) half = std::max({half, box.hi[i] / 2 - centre[i] / 2, centre[i] / 2 - box.lo[i] / 2});
  // Twice `half` bounds the distance of the box's corners from its centre along each axis, rounded; a frame larger by
  // one power of two than necessary is harmless.
  if (half > 0) {
    std::frexp(half, &exponent);
    ++exponent;
    if (std::ldexp(half * 2, -exponent) > 0.999) ++exponent;
  }
}

Vec3 FloatFrame::to_frame(const Vec3& x) const {
  const auto coordinate = [this](double v, double c) {
    const double d = v - c;
    // If the difference overflows, scale before subtracting.
    return std::isfinite(d) ? std::ldexp(d, -exponent) : std::ldexp(v, -exponent) - std::ldexp(c, -exponent);
  };
  return {coordinate(x.x, centre.x), coordinate(x.y, centre.y), coordinate(x.z, centre.z)};
}

namespace {

/// A vertex in the frame's coordinates; scales by one multiplication where that cannot overflow.
class ToFrame {
 public:
  explicit ToFrame(const FloatFrame& frame)
      : frame_(frame), scale_(frame.exponent > -1000 && frame.exponent < 1000 ? std::ldexp(1.0, -frame.exponent) : 0) {}
  Vec3 operator()(const Vec3& x) const { return scale_ > 0 ? (x - frame_.centre) * scale_ : frame_.to_frame(x); }

 private:
  const FloatFrame& frame_;
  double scale_;
};

// Range: coordinates in the frame are in [-1, 1] and never NaN, so conversions to float do not overflow; one that
// underflows is off by 2^-150, far less than the u / 2 that TreeFrame allows for a corner. Boxes are minima and maxima
// of the converted corners.
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

std::vector<float> corners_of(const bvh::WideTree& tree, const Mesh& mesh, const ToFrame& to_frame, int threads) {
  std::vector<float> corners(9 * mesh.triangle_count() + 8);
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
  return corners;
}

}  // namespace

WideTree::WideTree(const Mesh& mesh, int threads) : frame(mesh.box()) {
  // The boxes bound the rounded corners; queries widen them by the corners' rounding error (see TreeFrame).
  keep(built(boxes_of(mesh, ToFrame(frame), threads), threads), mesh, threads);
}

WideTree::WideTree(const Mesh& mesh, const WideTree& before, int threads)
    : frame(mesh.box()), built_cost(before.built_cost), refitted(true) {
  const std::vector<bvh::BoxF> boxes = boxes_of(mesh, ToFrame(frame), threads);
  bvh::WideTree wide{{before.tree.nodes.begin(), before.tree.nodes.end()},
                     {before.tree.items.begin(), before.tree.items.end()}};
  bvh::refit(wide, boxes);
  // Once boxes are about 1.5 times as large, the extra traversal time is about the cost of a new tree.
  constexpr double loose = 1.5;
  if (bvh::cost(wide) > loose * built_cost) {
    refitted = false;
    wide = built(boxes, threads);
  }
  keep(wide, mesh, threads);
}

bvh::WideTree WideTree::built(std::span<const bvh::BoxF> boxes, int threads) {
  bvh::WideTree wide =
      bvh::widen(bvh::build(boxes, {.max_leaf_size = bvh::WideNode::width, .threads = threads}), boxes);
  built_cost = bvh::cost(wide);
  return wide;
}

void WideTree::keep(const bvh::WideTree& wide, const Mesh& mesh, int threads) {
  const std::vector<float> rows_of_corners = corners_of(wide, mesh, ToFrame(frame), threads);
  const std::vector<float> rows_of_slabs = Slabs::make(wide, rows_of_corners);
  const auto all_in_one = [this](auto... arrays) {
    memory_ = core::LargeMemory((core::LargeMemory::bytes_for(arrays) + ...));
    return std::tuple{memory_.add(arrays)...};  // braces: evaluated left to right
  };
  using Floats = std::span<const float>;
  const auto [nodes, slab_rows, corner_rows, items] =
      all_in_one(std::span<const bvh::WideNode>(wide.nodes), Floats(rows_of_slabs), Floats(rows_of_corners),
                 std::span<const std::uint32_t>(wide.items));
  tree = {nodes, items};
  slabs = Slabs(slab_rows.data());
  corners = corner_rows;
}

}  // namespace graze::body
