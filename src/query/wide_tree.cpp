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

WideTree::WideTree(const Mesh& mesh, int threads) : frame(mesh.box()) {
  const std::size_t n = mesh.triangle_count();
  std::vector<float> points(9 * n);
  std::vector<bvh::BoxF> boxes(n);
  const std::span<const Vec3> positions = mesh.positions();
  const std::span<const Triangle> triangles = mesh.triangles();
  constexpr std::size_t chunk = 1 << 14;
  // ldexp once; a power of two times a double is exact, or rounds to less than 2^-1000.
  core::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    const double scale = frame.exponent > -1000 && frame.exponent < 1000 ? std::ldexp(1.0, -frame.exponent) : 0;
    for (std::size_t t = c * chunk; t < std::min(n, (c + 1) * chunk); ++t) {
      bvh::BoxF& box = boxes[t];
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& x = positions[triangles[t][k]];
        const Vec3 p = scale > 0 ? (x - frame.centre) * scale : frame.to_frame(x);
        for (int i = 0; i < 3; ++i) {
          const auto f = static_cast<float>(p[i]);
          points[9 * t + 3 * k + static_cast<std::size_t>(i)] = f;
          box.lo[i] = k == 0 ? f : std::min(box.lo[i], f);
          box.hi[i] = k == 0 ? f : std::max(box.hi[i], f);
        }
      }
    }
  });
  // The boxes bound the rounded corners; queries widen by the corners' rounding (see TreeFrame).
  tree = bvh::widen(bvh::build(boxes, {.max_leaf_size = bvh::WideNode::width, .threads = threads}), boxes);
  corners.resize(9 * n);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(9 * tree.items[i]), 9, corners.begin() + static_cast<std::ptrdiff_t>(9 * i));
}

}  // namespace graze::query
