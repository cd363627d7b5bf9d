// SPDX-License-Identifier: MIT
#include "engine/contains/point_in_body.hpp"

#include <cmath>
#include <vector>

#include "math/placed_points.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::engine::contains {

namespace {

constexpr int point = 0;  // index of the query point in the set; the triangle's corners are 1, 2, 3

/// The side of the directed edge i -> j on which the perturbed point lies, seen from above. 0 only if the edge is
/// vertical.
int moved_side(math::PlacedPoints& p, int i, int j) {
  if (const int s = p.orient2d(2, i, j, point)) return s;
  // (xj - xi)(py - yi) - (yj - yi)(px - xi) with px + e, py + e^2.
  if (const int dy = p.compare(1, i, j)) return -dy;
  return p.compare(0, i, j);
}

/// +1 if the ray from the perturbed point meets the triangle, 0 if not, -1 if the point itself is on the triangle.
int meets(math::PlacedPoints& p) {
  if (prim::edge_triangle(p, {point, point}, {1, 2, 3}) != prim::EdgeContact::none) return -1;
  const int area = p.orient2d(2, 1, 2, 3);
  if (area == 0) return 0;  // vertical: the perturbed ray misses it
  for (int k = 0; k < 3; ++k)
    if (moved_side(p, 1 + k, 1 + (k + 1) % 3) != area) return 0;
  return p.orient3d(1, 2, 3, point) * area < 0 ? 1 : 0;
}

}  // namespace

Location point_in_body(const body::BodyData& a, const math::RelativePlacement& placement, const Vec3& point_of_b,
                       Counters& counters) {
  const body::WideTree& t = a.tree;
  // The point in the tree's frame, with its error bound: its placement, and 2^-22 for corners and boxes in single
  // precision.
  const Vec3 placed = placement.place(point_of_b);
  const Vec3 f = t.frame.to_frame(placed);
  const double error = std::ldexp(placement.error(point_of_b), -t.frame.exponent) +
                       0x1p-50 * (1 + std::fabs(f.x) + std::fabs(f.y) + std::fabs(f.z)) + 0x1p-22;
  const auto misses = [&](const bvh::WideNode& n, int i) {
    // The ray cannot meet a box that is beside it or below it. NaN never proves a miss.
    for (int axis = 0; axis < 2; ++axis)
      if (n.low(axis, i) > f[axis] + error || n.high(axis, i) < f[axis] - error) return true;
    return n.high(2, i) < f.z - error;
  };
  math::PlacedPoints p(placement, counters);
  bool inside = false;
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const bvh::WideNode& node = t.tree.nodes[stack.back()];
    stack.pop_back();
    for (int i = 0; i < node.count; ++i) {
      ++counters.box_tests;
      if (misses(node, i)) continue;
      if (!node.bottom) {
        stack.push_back(node.first + static_cast<std::uint32_t>(i));
        continue;
      }
      ++counters.ray_tests;
      const std::uint32_t triangle = t.triangle(node.first + static_cast<std::uint32_t>(i));
      p.clear();
      p.add_b(point_of_b);
      for (std::size_t k = 0; k < 3; ++k) p.add_a(a.corner(triangle, k));
      const int m = meets(p);
      if (m < 0) return Location::on_surface;
      if (m > 0) inside = !inside;
    }
  }
  return inside ? Location::inside : Location::outside;
}

}  // namespace graze::engine::contains
